import { z } from "zod";
import {
  ADMIN_STATES,
  type Admin,
  adminEmailSchema,
  adminNameSchema,
  changeAdmin,
  createAdmin,
  disableAdmin,
  inspectAdmin,
  listAdmins,
  ROLES,
} from "../../../access/admins.ts";
import { hashPassword, passwordSchema } from "../../../access/passwords.ts";
import { decodeCursor, encodeCursor } from "../../../content/lists/cursor.ts";
import { pageQuery } from "../page-query.ts";
import { type ApiReply, type Call, defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";

/** Hashes while the body is validated, before the transaction. */
const password = passwordSchema.transform(hashPassword);
const role = z.enum(ROLES);
const state = z.enum(ADMIN_STATES);

const adminReply = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role,
    state,
    createdAt: z.string(),
    createdBy: z.string(),
    changedAt: z.string(),
    lastLoginAt: z.string().nullable(),
  })
  .meta({ id: "Admin" });

const list = defineRoute({
  method: "GET",
  path: "/admins",
  scope: "admins:manage",
  summary: "List the accounts of administrators, in order of creation",
  query: z.strictObject(pageQuery),
  body: NO_BODY,
  reply: z.object({ items: z.array(adminReply), nextCursor: z.string().nullable() }),
  async answer({ stores, actor, query: { limit, cursor } }) {
    const after = cursor === undefined ? null : decodeCursor(cursor, "admins", z.string());
    const { admins, hasMore } = await listAdmins(stores.admins, actor, { after, limit });
    const last = admins.at(-1);
    const nextCursor = hasMore && last !== undefined ? encodeCursor("admins", last.id) : null;
    return { body: { items: admins, nextCursor } };
  },
});

const create = defineRoute({
  method: "POST",
  path: "/admins",
  scope: "admins:manage",
  summary: "Create an account; its role cannot exceed the scopes of your key",
  query: NO_QUERY,
  body: z.strictObject({ email: adminEmailSchema, name: adminNameSchema, role, password }),
  takesLong: true,
  reply: adminReply,
  async answer({ stores, actor, body, now, requestId }) {
    const admin = await createAdmin(stores.admins, actor, body, { now, requestId });
    const headers = { Location: `/api/v1/admins/${admin.id}` };
    return { status: 201, ...adminAnswer(admin), headers };
  },
});

const inspect = defineRoute({
  method: "GET",
  path: "/admins/{id}",
  scope: "admins:manage",
  summary: "Get an account, without its password",
  query: NO_QUERY,
  body: NO_BODY,
  reply: adminReply,
  answer: async (call) => adminAnswer(await adminOf(call)),
});

const change = defineRoute({
  method: "PATCH",
  path: "/admins/{id}",
  scope: "admins:manage",
  summary: "Change the name, role, state or password of an account",
  query: NO_QUERY,
  takesLong: true,
  body: z.strictObject({
    name: adminNameSchema.exactOptional(),
    role: role.exactOptional(),
    state: state.exactOptional(),
    password: password.exactOptional(),
  }),
  reply: adminReply,
  changes: async (call) => stateOf(await adminOf(call)),
  async answer({ stores, actor, part, body, now, requestId }) {
    const options = { change: body, now, requestId };
    return adminAnswer(await changeAdmin(stores.admins, actor, part("id"), options));
  },
});

const disable = defineRoute({
  method: "DELETE",
  path: "/admins/{id}",
  scope: "admins:manage",
  summary: "Disable an account; it stays, because the audit log refers to it",
  query: NO_QUERY,
  body: NO_BODY,
  reply: adminReply,
  changes: async (call) => stateOf(await adminOf(call)),
  async answer({ stores, actor, part, now, requestId }) {
    return adminAnswer(await disableAdmin(stores.admins, actor, part("id"), { now, requestId }));
  },
});

export const adminRoutes: readonly Route[] = [list, create, inspect, change, disable];

async function adminOf({
  stores,
  actor,
  part,
}: Pick<Call, "stores" | "actor" | "part">): Promise<Admin> {
  return await inspectAdmin(stores.admins, actor, part("id"));
}

/** State for `If-Match`; logins are left out. */
function stateOf({ lastLoginAt: _, ...rest }: Admin): object {
  return rest;
}

function adminAnswer(admin: Admin): ApiReply {
  return { body: admin, state: stateOf(admin) };
}
