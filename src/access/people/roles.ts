import { z } from "zod";
import { SCOPES, type Scope } from "../actor.ts";

const VIEWER = ["content:read", "audit:read"] as const;
/** Without `content:publish`, nothing that is public can be changed. */
const CONTRIBUTOR = [...VIEWER, "content:write"] as const;
const EDITOR = [...CONTRIBUTOR, "content:publish", "media:write"] as const;
const MANAGER = [...EDITOR, "requests:manage", "keys:manage", "transfer:run"] as const;

/** Scopes of each role; each includes those of the roles below it. */
export const ROLE_SCOPES = {
  owner: SCOPES,
  manager: MANAGER,
  editor: EDITOR,
  contributor: CONTRIBUTOR,
  viewer: VIEWER,
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLE_SCOPES;

export const ROLES = [
  "owner",
  "manager",
  "editor",
  "contributor",
  "viewer",
] as const satisfies readonly Role[];

export const roleSchema = z.enum(ROLES);
