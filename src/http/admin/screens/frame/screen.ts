import type { Scope } from "../../../../access/actor.ts";
import type { RejectedForm } from "../../../../render/refilled-form.ts";
import type { HttpResponse } from "../../../exchange.ts";
import type { SentForm, SentValues } from "../../../site/sent-form.ts";
import type { SignedInVisit } from "../../admin-route.ts";

/** A request to a screen, by a person who has signed in. */
export interface ScreenVisit extends SignedInVisit {
  /**
   * The value of a path parameter. @throws if the path has no parameter of that name, which is a
   * bug.
   */
  pathParameter(name: string): string;
  query: URLSearchParams;
  /** The refused form, if a form of this screen has just failed. */
  failed?: RejectedForm & { form: SentValues; fault: string; status: number };
}

/** A page or an action of the administrators' interface. The use cases that it calls check permissions. */
export interface Screen {
  method: "GET" | "POST";
  /** Path with parameters in braces, such as `/admin/content/{id}`. */
  path: string;
  /**
   * The scope that a person needs to use the screen. The access tests compare it with the actual behaviour.
   */
  scope: Scope;
  /**
   * How files in the form are read: `whole` buffers all of them, `streamed` reads them while they arrive.
   * Absent: the form has no files.
   */
  takesFiles?: "whole" | "streamed";
  /** Answers a request. `form` is empty for a GET. */
  answer(visit: ScreenVisit, form: SentForm): Promise<HttpResponse>;
}

/** Matches `pathname` against `path`. Returns the parameters, keyed by name; null: no match. */
export function matchPath(path: string, pathname: string): ReadonlyMap<string, string> | null {
  const pattern = path.split("/");
  const segments = pathname.split("/");
  if (pattern.length !== segments.length) return null;
  const parameters = new Map<string, string>();
  for (const [at, expected] of pattern.entries()) {
    const actual = segments[at] ?? "";
    if (expected.startsWith("{")) parameters.set(expected.slice(1, -1), decodeSegment(actual));
    else if (expected !== actual) return null;
  }
  return parameters;
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
