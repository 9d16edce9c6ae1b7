import type { Scope } from "../../../../access/actor.ts";
import type { FailedForm } from "../../../../render/refilled-form.ts";
import type { HttpAnswer } from "../../../exchange.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import type { SignedInVisit } from "../../admin-route.ts";

/** A request to a screen, by a person who has signed in. */
export interface ScreenVisit extends SignedInVisit {
  /** The value of a path parameter. @throws when the screen has none of that name: a bug. */
  part(name: string): string;
  query: URLSearchParams;
  /** A form of this screen that failed just now. */
  failed?: FailedForm & { fault: string; status: number };
}

/** A page or an action of the administrators' interface. Permission is checked by the use cases. */
export interface Screen {
  method: "GET" | "POST";
  /** Path, with parameters in braces: `/admin/content/{id}`. */
  path: string;
  /**
   * The scope a person needs to use the screen; the access tests compare it with the actual
   * behaviour.
   */
  scope: Scope;
  /** How files in its form are read: `whole` buffers all, `arriving` streams one; absent: no files. */
  takesFiles?: "whole" | "arriving";
  /** For a GET, the form is empty. */
  answer(visit: ScreenVisit, form: SentForm): Promise<HttpAnswer>;
}

/** The values of the path parameters if the screen's path matches. */
export function matchPath(path: string, pathname: string): ReadonlyMap<string, string> | null {
  const pattern = path.split("/");
  const given = pathname.split("/");
  if (pattern.length !== given.length) return null;
  const parts = new Map<string, string>();
  for (const [at, expected] of pattern.entries()) {
    const found = given[at] ?? "";
    if (expected.startsWith("{")) parts.set(expected.slice(1, -1), decoded(found));
    else if (expected !== found) return null;
  }
  return parts;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
