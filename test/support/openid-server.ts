import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { listening } from "./listening.ts";

export const CLIENT_ID = "commonplace";
const KEY_ID = "k1";

export interface OpenIdServer extends AsyncDisposable {
  issuer: string;
  /** Claims of the next ID tokens. `nonce` replaces the nonce of the request. */
  says: {
    email: string;
    emailVerified: boolean;
    nonce?: string;
    isSignedByAnother?: boolean;
    isUnsigned?: boolean;
    /** Replaces claims of the token. */
    claims?: object;
    takesCodesAgain?: boolean;
    /** Replaces the authorization endpoint in the provider's metadata. */
    authorizationEndpoint?: string;
  };
  /** Signs in like a browser that was sent to `address`. @returns the address it is redirected to. */
  authorize(address: string): string;
}

/** An OpenID Connect provider that checks the code and PKCE as real ones do. */
export async function openOpenIdServer(): Promise<OpenIdServer> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const asked = new Map<string, URLSearchParams>();
  const says: OpenIdServer["says"] = { email: "ada@example.org", emailVerified: true };
  let issuer = "";
  const sign = (claims: object) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    if (says.isUnsigned === true) return `${part({ alg: "none" })}.${part(claims)}.`;
    const text = `${part({ alg: "RS256", kid: KEY_ID })}.${part(claims)}`;
    const key = says.isSignedByAnother === true ? other : privateKey;
    return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
  };
  const tokens = (form: URLSearchParams): object | null => {
    const request = asked.get(form.get("code") ?? "");
    if (says.takesCodesAgain !== true) asked.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (request === undefined || request.get("code_challenge") !== challenge) return null;
    if (request.get("redirect_uri") !== form.get("redirect_uri")) return null;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: CLIENT_ID,
      sub: "person-1",
      iat: now,
      exp: now + 60,
      nonce: says.nonce ?? request.get("nonce"),
      email: says.email,
      email_verified: says.emailVerified,
      ...says.claims,
    };
    return { access_token: "access-secret", token_type: "Bearer", id_token: sign(claims) };
  };
  const answers: Record<string, (body: string) => object | null> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: says.authorizationEndpoint ?? `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ["RS256"],
    }),
    "/keys": () => ({
      keys: [{ ...publicKey.export({ format: "jwk" }), kid: KEY_ID, alg: "RS256", use: "sig" }],
    }),
    "/token": (body) => tokens(new URLSearchParams(body)),
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    const answer = answers[request.url ?? ""]?.(body) ?? null;
    response.writeHead(answer === null ? 400 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: "invalid_grant" }));
  });
  const port = await listening(server);
  issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    says,
    authorize(address) {
      const request = new URL(address).searchParams;
      const code = `code-${randomBytes(8).toString("hex")}`;
      asked.set(code, request);
      const back = new URL(request.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", request.get("state") ?? "");
      return `${back.pathname}${back.search}`;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
