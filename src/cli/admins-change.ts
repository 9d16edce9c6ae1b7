import { type AdminChange, type AdminReader, changeAdmin, type Role } from "../access/admins.ts";
import { openStore } from "../app/store.ts";
import { AppError } from "../errors.ts";
import { shownAdmin } from "./admins-create.ts";
import { passwordHash } from "./password.ts";
import type { CommandContext } from "./terminal.ts";

export interface ChangeAdminFlags {
  name?: string;
  role?: Role;
  enable?: boolean;
  disable?: boolean;
  password?: boolean;
  passwordStdin?: boolean;
  json?: boolean;
}

/** `commonplace admins change ID`, or an e-mail address in the place of the id. */
export async function changeAdminCommand(
  who: string,
  flags: ChangeAdminFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const { name, role, enable, disable, password, passwordStdin = false, json } = flags;
  const change: AdminChange = {
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(enable === true ? { state: "active" } : {}),
    ...(disable === true ? { state: "disabled" } : {}),
  };
  if (password === true || passwordStdin) {
    change.password = await passwordHash(terminal, { fromStdin: passwordStdin });
  }
  if (Object.keys(change).length === 0) {
    throw new AppError("invalid", "Cannot change an account: say what, as --role or --disable");
  }
  await using record = await openStore(config);
  const id = await idOf(record.admins, who);
  const options = { change, now: new Date() };
  const admin = await changeAdmin(record.admins, { kind: "operator" }, id, options);
  if (json === true) terminal.out(JSON.stringify(admin));
  else terminal.out(`Changed ${admin.id} (${shownAdmin(admin)})`);
  return 0;
}

async function idOf(admins: AdminReader, who: string): Promise<string> {
  if (!who.includes("@")) return who;
  const admin = await admins.byEmail(who.trim().toLowerCase());
  if (admin === null) throw new AppError("not_found", `There is no administrator ${who}`);
  return admin.id;
}
