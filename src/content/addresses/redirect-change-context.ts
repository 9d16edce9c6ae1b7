import type { ChangeContext } from "../../access/audit.ts";

export interface RedirectChangeContext extends ChangeContext {
  /** The site's own origin, accepted in addresses. */
  origin: string;
  /** Whether a path belongs to a discovery document. */
  isDocument: (path: string) => boolean;
}
