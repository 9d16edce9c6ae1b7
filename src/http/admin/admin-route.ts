import type { AccountChangeContext } from "../../access/people/account-notices.ts";
import type { PasskeyVerifier } from "../../access/people/passkeys/verifier.ts";
import type { PeopleRecord, RequestingClient } from "../../access/people/people-stores.ts";
import type { SessionWithAdmin } from "../../access/people/sessions.ts";
import type { SignInProvider } from "../../access/people/sign-in-provider.ts";
import type { MeasureHealth } from "../../health/health.ts";
import type { SafeHtml } from "../../render/html.ts";
import type { ApiDependencies } from "../api/dependencies.ts";
import type { HttpResponse } from "../exchange.ts";
import type { SentForm } from "../site/sent-form.ts";
import type { Texts } from "./texts/english.ts";

/** Dependencies of the pages for administrators. */
export interface AdminDependencies
  extends Pick<
    ApiDependencies,
    | "stores"
    | "mediaFiles"
    | "pictureSizes"
    | "deskIndex"
    | "atomically"
    | "preview"
    | "reading"
    | "jobFiles"
    | "draining"
    | "origin"
    | "version"
    | "now"
    | "sendsMail"
    | "webhookPrivateNetworks"
  > {
  people: PeopleRecord;
  /** The sign-in provider; null: none is configured. */
  provider: SignInProvider | null;
  passkeys: PasskeyVerifier;
  measureHealth: MeasureHealth;
}

/** A request to a page for administrators. */
export interface AdminVisit {
  parts: AdminDependencies;
  client: RequestingClient;
  now: Date;
  texts: Texts;
  /** Time zone of the site, in which times are shown and read. */
  timeZone: string;
  requestId: string;
  /** The full URL, on the public origin. */
  address: URL;
  /**
   * The sign-in state in the browser's cookie while the person is at the sign-in provider; null if
   * there is none.
   */
  pending: string | null;
  /**
   * The secret of a passkey challenge, stored in a cookie until the device responds; null if there
   * is none.
   */
  passkeySecret: string | null;
  /** The session token in the cookie, not verified; null: none. */
  token: string | null;
  /** The session and its account, if the route requires a session. */
  signedIn?: SessionWithAdmin;
}

/** A visit with a session that meets the route's requirement. */
export interface SignedInVisit extends AdminVisit {
  token: string;
  signedIn: SessionWithAdmin;
}

export interface FormPage<V> {
  path: string;
  /** Addresses of scripts that enhance the page. */
  scripts?: readonly string[];
  title(texts: Texts): string;
  content(visit: V): SafeHtml | Promise<SafeHtml>;
}

interface RouteOf<Needs extends string, V> {
  needs: Needs;
  method: "GET" | "POST";
  path: string;
  /** The page with the form. After a failed POST, the page shows the error. */
  page: FormPage<V>;
  /** Answers a POST; a GET shows the page. */
  handlePost: ((visit: V, form: SentForm) => Promise<HttpResponse>) | null;
  /** Answers a GET instead of showing the page. */
  handleGet?: (visit: V) => Promise<HttpResponse>;
}

/**
 * A route below `/admin`. `needs` says what a request must have: `nothing`; `password`, a session that
 * still lacks the second factor; or `session`, a complete session.
 */
export type AdminRoute =
  | RouteOf<"nothing", AdminVisit>
  | RouteOf<"password", SignedInVisit>
  | RouteOf<"session", SignedInVisit>;

/** The context of a change to an account, for the mail that informs the account's owner. */
export function accountChangeContextOf({
  parts: { origin, sendsMail },
  now,
  requestId,
}: Pick<AdminVisit, "parts" | "now" | "requestId">): AccountChangeContext {
  return { now, requestId, origin, sendsMail };
}
