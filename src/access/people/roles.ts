import { z } from "zod";
import { SCOPES, type Scope } from "../actor.ts";

const VIEWER_SCOPES = ["content:read", "audit:read"] as const;
/** Without `content:publish`, a contributor cannot change public content. */
const CONTRIBUTOR_SCOPES = [...VIEWER_SCOPES, "content:write"] as const;
const EDITOR_SCOPES = [...CONTRIBUTOR_SCOPES, "content:publish", "media:write"] as const;
const MANAGER_SCOPES = [
  ...EDITOR_SCOPES,
  "requests:manage",
  "keys:manage",
  "transfer:run",
] as const;

/** The scopes of each role. A role has all scopes of the roles listed below it. */
export const ROLE_SCOPES = {
  owner: SCOPES,
  manager: MANAGER_SCOPES,
  editor: EDITOR_SCOPES,
  contributor: CONTRIBUTOR_SCOPES,
  viewer: VIEWER_SCOPES,
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
