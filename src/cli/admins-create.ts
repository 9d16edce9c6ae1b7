import { type Admin, createAdmin, type Role } from "../access/admins.ts";
import { openStore } from "../app/store.ts";
import { passwordHash } from "./password.ts";
import type { CommandContext } from "./terminal.ts";

export interface CreateFlags {
  email: string;
  name: string;
  role: Role;
  passwordStdin?: boolean;
  json?: boolean;
}

/** `commonplace admins create`: the password is asked for, never given as an argument. */
export async function createAdminCommand(
  { email, name, role, passwordStdin = false, json }: CreateFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const password = await passwordHash(terminal, { fromStdin: passwordStdin });
  await using record = await openStore(config);
  const admin = await createAdmin(
    record.admins,
    { kind: "operator" },
    { email, name, role, password },
    { now: new Date() },
  );
  if (json === true) terminal.out(JSON.stringify(admin));
  else terminal.out(`Created ${admin.id} (${shownAdmin(admin)})`);
  return 0;
}

export function shownAdmin({ email, name, role, state }: Admin): string {
  return `${name} <${email}>, ${role}${state === "disabled" ? ", disabled" : ""}`;
}
