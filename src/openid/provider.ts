import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { SignInProvider } from "../access/people/sign-in-provider.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { type TracedStep, traceStep } from "../tracing.ts";

const ANSWER_SECONDS_MAX = 5;
/** Size limit of a provider's response; real responses are far smaller. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/**
 * Pause after a failed discovery of the provider, so that clients cannot make this server retry
 * constantly.
 */
const DISCOVERY_BACKOFF_SECONDS = 30;
const PENDING_PATTERN = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})$/;

const DISCOVERY_STEP: TracedStep = { name: "sign-in provider discovery", kind: "client" };
const SIGN_IN_STEP: TracedStep = { name: "sign-in provider", kind: "client" };

export interface OpenIdOptions {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  /** Where the provider sends people who have signed in. Must be registered with the provider. */
  redirectUri: string;
  log: Log;
}

/** Signs people in with OpenID Connect: the authorization code flow with PKCE, state and nonce. */
export function createOpenIdProvider(options: OpenIdOptions): SignInProvider {
  const { issuer, redirectUri, log } = options;
  let discovered: Promise<Configuration> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  const configuration = async () => {
    const hasJustFailed = performance.now() - failedAt < DISCOVERY_BACKOFF_SECONDS * 1000;
    if (discovered === null && hasJustFailed) throw doesNotAnswer();
    discovered ??= traceStep(DISCOVERY_STEP, () => discover(options));
    try {
      return await discovered;
    } catch (error) {
      discovered = null;
      failedAt = performance.now();
      log.warn({ fault: errorCodeText(error) }, "The sign-in provider does not answer");
      throw doesNotAnswer();
    }
  };
  return {
    name: new URL(issuer).host,
    async begin() {
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      const found = await configuration();
      const request = {
        redirect_uri: redirectUri,
        scope: "openid email",
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
        // Forces a new login even if the provider has a session, in case someone else is at the computer.
        prompt: "login",
      };
      try {
        const address = buildAuthorizationUrl(found, request);
        return { address: address.href, pending: [state, nonce, verifier].join(".") };
      } catch (error) {
        log.warn({ fault: errorCodeText(error) }, "The sign-in provider names no usable address");
        throw doesNotAnswer();
      }
    },
    async finish(callback, pending) {
      const [, state = "", nonce = "", verifier = ""] = PENDING_PATTERN.exec(pending) ?? [];
      if (state === "") throw refused();
      const found = await configuration();
      try {
        const checks = { state, nonce, verifier };
        return await traceStep(SIGN_IN_STEP, () => verifiedEmail(found, callback, checks));
      } catch (error) {
        if (error instanceof AppError) throw error;
        log.warn({ fault: errorCodeText(error) }, "A sign-in through the provider was refused");
        throw refused();
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OpenIdOptions): Promise<Configuration> {
  const server = new URL(issuer);
  const isPlain = server.protocol === "http:";
  const found = await discovery(server, clientId, clientSecret ?? undefined, undefined, {
    timeout: ANSWER_SECONDS_MAX,
    [customFetch]: boundedFetch,
    // Verifies the signatures of ID tokens. Without this option, the library trusts tokens that
    // come directly from the provider.
    execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
  });
  found.timeout = ANSWER_SECONDS_MAX;
  return found;
}

/** Limits the size of responses, which the library would otherwise buffer without limit. */
const boundedFetch: CustomFetch = async (url, options) => {
  const { body, status, statusText, headers } = await fetch(url, {
    ...options,
    body: options.body ?? null,
  });
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength;
      if (bytes > ANSWER_BYTES_MAX) throw new RangeError("The answer is too long");
      controller.enqueue(piece);
    },
  });
  return new Response(body?.pipeThrough(limit) ?? null, { status, statusText, headers });
};

async function verifiedEmail(
  configuration: Configuration,
  callback: URL,
  { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
): Promise<string> {
  const tokens = await authorizationCodeGrant(configuration, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw refused();
  const { email, email_verified: isVerified } =
    claims["email"] === undefined
      ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims;
  if (typeof email === "string" && isVerified === true) return email.toLowerCase();
  throw new AppError("unauthenticated", {
    en: "The sign-in provider does not say that your e-mail address is verified",
    de: "Der Anmeldedienst bestätigt nicht, dass Ihre E-Mail-Adresse geprüft ist",
  });
}

function doesNotAnswer(): AppError {
  return new AppError(
    "unavailable",
    {
      en: "The sign-in provider does not answer: try again soon",
      de: "Der Anmeldedienst antwortet nicht: Versuchen Sie es bald noch einmal",
    },
    {
      retryAfterSeconds: DISCOVERY_BACKOFF_SECONDS,
    },
  );
}

function refused(): AppError {
  return new AppError("unauthenticated", {
    en: "The answer of the sign-in provider is not valid, too late or was used before: begin again",
    de: "Die Antwort des Anmeldedienstes ist ungültig, zu spät oder wurde schon benutzt: Beginnen Sie noch einmal",
  });
}

/** The name and code of an error. Its message and cause are left out, because they may contain tokens. */
function errorCodeText(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? `${error.name} ${String(error.code)}` : error.name;
}
