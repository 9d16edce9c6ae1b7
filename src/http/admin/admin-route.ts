import type { Client, PeopleRecord } from "../../access/people/people-stores.ts";
import type { FoundSession } from "../../access/people/sessions.ts";
import type { SignInProvider } from "../../access/people/sign-in-provider.ts";
import type { SafeHtml } from "../../render/html.ts";
import type { ApiParts } from "../api/parts.ts";
import type { HttpAnswer } from "../exchange.ts";
import type { SentForm } from "../site/sent-form.ts";

/** Dependencies of the pages for administrators. */
export interface AdminParts
  extends Pick<
    ApiParts,
    "stores" | "atomically" | "preview" | "reading" | "origin" | "now" | "sendsMail"
  > {
  people: PeopleRecord;
  /** Where people may sign in as well; null: with passwords only. */
  provider: SignInProvider | null;
}

/** A request to a page for administrators. */
export interface Visit {
  parts: AdminParts;
  client: Client;
  now: Date;
  requestId: string;
  /** The whole address, on the public origin. */
  address: URL;
  /** What the browser keeps between leaving for the provider and coming back. */
  pending: string | null;
  /** The session token of the cookie, if there is one; not checked. */
  token: string | null;
}

/** A visit with a session of the stage that the route needs. */
export interface SignedInVisit extends Visit {
  token: string;
  found: FoundSession;
}

export interface FormPage<V> {
  path: string;
  title: string;
  content(visit: V): SafeHtml | Promise<SafeHtml>;
}

interface RouteOf<Needs extends string, V> {
  needs: Needs;
  method: "GET" | "POST";
  path: string;
  /** Shown again, with the fault, when a POST fails. */
  page: FormPage<V>;
  /** Answers a POST; a GET shows the page. */
  send: ((visit: V, form: SentForm) => Promise<HttpAnswer>) | null;
  /** Answers a GET in the place of the page. */
  follow?: (visit: V) => Promise<HttpAnswer>;
}

/** A route below `/admin`; `needs` says whom it answers. */
export type AdminRoute =
  | RouteOf<"nothing", Visit>
  | RouteOf<"password", SignedInVisit>
  | RouteOf<"session", SignedInVisit>;
