import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { z } from "zod";
import { attestationObject } from "./attestation-object.ts";
import { ORIGIN } from "./open-fixture.ts";

/** How an attacker may deviate from browsers and their devices. */
interface Deviation {
  origin?: string;
  rpId?: string;
  challenge?: string;
  counter?: number;
  userHandle?: string;
  type?: string;
  isVerified?: boolean;
  /** The format of the attestation statement; absent: none. */
  attestation?: "packed" | "fido-u2f";
  breaksSignature?: boolean;
}

/** A device with one passkey, as a browser's Web Authentication API exposes it. */
export interface Authenticator {
  /** The response to the options for a new passkey. */
  create(options: string, deviation?: Deviation): string;
  /** The response to the options for a sign-in. */
  get(options: string, deviation?: Deviation): string;
}

const creationSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
});
const requestSchema = z.object({ challenge: z.string(), rpId: z.string() });

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** @param counts whether the device counts its signatures. */
export function openAuthenticator({ counts = true } = {}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let counter = 0;
  let user = "";
  const next = ({ counter: given }: Deviation) => {
    if (counts) counter = given ?? counter + 1;
    return counter;
  };
  const response = (own: Readonly<Record<string, string>>) =>
    JSON.stringify({
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      clientExtensionResults: {},
      response: own,
    });
  return {
    create(options, deviation = {}) {
      const { challenge, rp, user: of } = creationSchema.parse(JSON.parse(options));
      user = of.id;
      const clientData = clientDataOf("webauthn.create", challenge, deviation);
      const length = Buffer.from([0, id.length]);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
      const data = Buffer.concat([
        authenticatorData(rp.id, HAS_CREDENTIAL, next(deviation), deviation),
        credential,
      ]);
      return response({
        clientDataJSON: clientData.toString("base64url"),
        attestationObject: attestationObject(deviation.attestation ?? "none", {
          ...{ data, clientData, id, publicKey, privateKey },
        }).toString("base64url"),
      });
    },
    get(options, deviation = {}) {
      const { challenge, rpId } = requestSchema.parse(JSON.parse(options));
      const clientData = clientDataOf("webauthn.get", challenge, deviation);
      const data = authenticatorData(rpId, 0, next(deviation), deviation);
      const signed = Buffer.concat([data, sha256(clientData)]);
      const signature = createSign("sha256").update(signed).sign(privateKey);
      if (deviation.breaksSignature === true) signed.writeUInt8(0);
      const other = createSign("sha256").update(signed).sign(privateKey);
      return response({
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: (deviation.breaksSignature === true ? other : signature).toString("base64url"),
        userHandle: deviation.userHandle ?? user,
      });
    },
  };
}

function clientDataOf(type: string, challenge: string, deviation: Deviation): Buffer {
  const data = { type, challenge, origin: ORIGIN, crossOrigin: false, ...clientPart(deviation) };
  return Buffer.from(JSON.stringify(data));
}

function clientPart({ origin, challenge, type }: Deviation) {
  return {
    ...(origin === undefined ? {} : { origin }),
    ...(challenge === undefined ? {} : { challenge }),
    ...(type === undefined ? {} : { type }),
  };
}

function authenticatorData(
  rpId: string,
  flags: number,
  counter: number,
  { rpId: other, isVerified = true }: Deviation,
): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(PRESENT | (isVerified ? VERIFIED : 0) | flags);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(Buffer.from(other ?? rpId)), rest]);
}

/** CBOR of an EC2 key for ES256 (RFC 9053). */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = (text: string) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, "base64url")]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    point(x),
    Buffer.from([0x22]),
    point(y),
  ]);
}

function sha256(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}
