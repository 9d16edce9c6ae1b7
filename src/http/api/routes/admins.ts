import { z } from "zod";
import {
  type AdminCodeDelivery,
  type AdminWithCode,
  inviteAdmin,
  renewAdminCode,
} from "../../../access/people/admin-codes.ts";
import {
  adminEmailSchema,
  adminNameSchema,
  changeAdmin,
  disableAdmin,
  inspectAdmin,
  listAdmins,
} from "../../../access/people/admins.ts";
import { removeAllPasskeysOfAccount } from "../../../access/people/passkeys/passkeys.ts";
import { ADMIN_STATES, type Admin } from "../../../access/people/people-stores.ts";
import { roleSchema } from "../../../access/people/roles.ts";
import { isSecondFactorOn, removeSecondFactor } from "../../../access/people/second-factors.ts";
import { endSessionsOfAccount, listSessions } from "../../../access/people/sessions.ts";
import { decodeCursor, encodeCursor } from "../../../content/lists/cursor.ts";
import { pageQueryShape } from "../page-query.ts";
import {
  type ApiCall,
  type ApiResponse,
  defineRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from "../route.ts";
import { mailsResponseSchema } from "./mail-shapes.ts";

const text = z.string();

const adminFields = {
  id: text,
  email: text,
  name: text,
  role: roleSchema,
  state: z.enum(ADMIN_STATES).meta({ description: "invited: has not chosen a password yet" }),
  createdAt: text,
  createdBy: text,
  changedAt: text,
  lastLoginAt: text.nullable(),
};
const adminResponseSchema = z.object(adminFields).meta({ id: "Admin" });
const detailResponseSchema = adminResponseSchema.extend({
  hasSecondFactor: z.boolean(),
  passkeys: z.int(),
  mails: mailsResponseSchema,
});
const codeResponseSchema = z.object({
  ...adminFields,
  code: text.nullable().meta({
    description:
      "To be entered at /admin/claim, with a password of the person's choice; shown only once. Null: it is sent by mail",
  }),
  codeExpiresAt: text,
});
const sessionResponseSchema = z.object({
  id: text,
  device: text.meta({ description: "The browser's User-Agent" }),
  network: text,
  createdAt: text,
  usedAt: text,
  expiresAt: text,
});

const showCode = z
  .boolean()
  .default(false)
  .meta({ description: "Return the code instead of mailing it" });

const list = defineRoute({
  method: "GET",
  path: "/admins",
  scope: "admins:manage",
  summary: "List the accounts of administrators, in order of creation",
  query: z.strictObject(pageQueryShape),
  body: NO_BODY,
  response: z.object({ items: z.array(adminResponseSchema), nextCursor: text.nullable() }),
  async answer({ stores, actor, query: { limit, cursor } }) {
    const after = cursor === undefined ? null : decodeCursor(cursor, "admins", z.string());
    const { admins, hasMore } = await listAdmins(stores.admins, actor, { after, limit });
    const last = admins.at(-1);
    const nextCursor = hasMore && last !== undefined ? encodeCursor("admins", last.id) : null;
    return { body: { items: admins, nextCursor } };
  },
});

const invite = defineRoute({
  method: "POST",
  path: "/admins",
  scope: "admins:manage",
  summary: "Invite an administrator; the role cannot exceed the scopes of your key",
  query: NO_QUERY,
  body: z.strictObject({
    email: adminEmailSchema,
    name: adminNameSchema,
    role: roleSchema,
    showCode,
  }),
  response: codeResponseSchema,
  async answer(call) {
    const { showCode: returnsCode, ...input } = call.body;
    const delivery = { ...deliveryOf(call), returnsCode };
    const invited = await inviteAdmin(call.stores, call.actor, input, delivery);
    const headers = { Location: `/api/v1/admins/${invited.admin.id}` };
    return { status: 201, ...codeResponse(invited), headers };
  },
});

const inspect = defineRoute({
  method: "GET",
  path: "/admins/{id}",
  scope: "admins:manage",
  summary: "Get an account, with the status of the mails to it",
  query: NO_QUERY,
  body: NO_BODY,
  response: detailResponseSchema,
  async answer(call) {
    const admin = await adminOf(call);
    const hasSecondFactor = isSecondFactorOn(await call.stores.secondFactors.of(admin.id));
    const passkeys = (await call.stores.passkeys.ofAdmin(admin.id)).length;
    const mails = await call.stores.outbox.statesAbout(admin.id);
    return { body: { ...admin, hasSecondFactor, passkeys, mails }, state: stateOf(admin) };
  },
});

const change = defineRoute({
  method: "PATCH",
  path: "/admins/{id}",
  scope: "admins:manage",
  summary: "Change the name, role or state of an account",
  query: NO_QUERY,
  body: z.strictObject({
    name: adminNameSchema.exactOptional(),
    role: roleSchema.exactOptional(),
    state: z.enum(["active", "disabled"]).exactOptional(),
  }),
  response: adminResponseSchema,
  stateToMatch: async (call) => stateOf(await adminOf(call)),
  async answer(call) {
    const { stores, actor, pathParameter, body } = call;
    const options = { change: body, ...deliveryOf(call) };
    return adminResponse(await changeAdmin(stores, actor, pathParameter("id"), options));
  },
});

const disable = defineRoute({
  method: "DELETE",
  path: "/admins/{id}",
  scope: "admins:manage",
  summary: "Disable an account and end its sessions; it stays, because the audit log refers to it",
  query: NO_QUERY,
  body: NO_BODY,
  response: adminResponseSchema,
  stateToMatch: async (call) => stateOf(await adminOf(call)),
  async answer({ stores, actor, pathParameter, now, requestId }) {
    return adminResponse(
      await disableAdmin(stores, actor, pathParameter("id"), { now, requestId }),
    );
  },
});

const makeCode = defineRoute({
  method: "POST",
  path: "/admins/{id}/code",
  scope: "admins:manage",
  summary:
    "Make another code for an invitation, or one to reset a lost password; an earlier code stops working",
  query: NO_QUERY,
  body: z.strictObject({ showCode }).prefault({}),
  response: codeResponseSchema,
  async answer(call) {
    const delivery = { ...deliveryOf(call), returnsCode: call.body.showCode };
    return codeResponse(
      await renewAdminCode(call.stores, call.actor, call.pathParameter("id"), delivery),
    );
  },
});

const sessions = defineRoute({
  method: "GET",
  path: "/admins/{id}/sessions",
  scope: "admins:manage",
  summary: "List the browsers signed in to an account, newest first",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.object({ items: z.array(sessionResponseSchema) }),
  async answer({ stores, actor, pathParameter, now }) {
    const openSessions = await listSessions(stores, actor, pathParameter("id"), now);
    const items = openSessions.map(({ id, device, network, createdAt, usedAt, expiresAt }) => {
      return { id, device, network, createdAt, usedAt, expiresAt };
    });
    return { body: { items } };
  },
});

const signOut = defineRoute({
  method: "DELETE",
  path: "/admins/{id}/sessions",
  scope: "admins:manage",
  summary: "Sign an administrator out of every browser",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.object({ ended: z.int() }),
  async answer({ stores, actor, pathParameter, now, requestId }) {
    const options = { keep: null, now, requestId };
    return {
      body: { ended: await endSessionsOfAccount(stores, actor, pathParameter("id"), options) },
    };
  },
});

const removeFactor = defineRoute({
  method: "DELETE",
  path: "/admins/{id}/second-factor",
  scope: "admins:manage",
  summary:
    "Turn off the second factor of an account and end its sessions, such as after the loss of a phone",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.null(),
  async answer(call) {
    await removeSecondFactor(call.stores, call.actor, call.pathParameter("id"), deliveryOf(call));
    return { status: 204, body: null };
  },
});

const removeAllPasskeys = defineRoute({
  method: "DELETE",
  path: "/admins/{id}/passkeys",
  scope: "admins:manage",
  summary: "Remove all passkeys of an account and end its sessions, such as after a theft",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.null(),
  async answer(call) {
    await removeAllPasskeysOfAccount(
      call.stores,
      call.actor,
      call.pathParameter("id"),
      deliveryOf(call),
    );
    return { status: 204, body: null };
  },
});

export const adminRoutes: readonly Route[] = [
  list,
  invite,
  inspect,
  change,
  disable,
  makeCode,
  sessions,
  signOut,
  removeFactor,
  removeAllPasskeys,
];

async function adminOf({
  stores,
  actor,
  pathParameter,
}: Pick<ApiCall, "stores" | "actor" | "pathParameter">): Promise<Admin> {
  return await inspectAdmin(stores.admins, actor, pathParameter("id"));
}

function deliveryOf({ parts, now, requestId }: ApiCall): AdminCodeDelivery {
  return { now, requestId, origin: parts.origin, sendsMail: parts.sendsMail };
}

/** The state for `If-Match`, without the time of the last login. */
function stateOf({ lastLoginAt: _, ...rest }: Admin): object {
  return rest;
}

function adminResponse(admin: Admin): ApiResponse {
  return { body: admin, state: stateOf(admin) };
}

function codeResponse({ admin, code, codeExpiresAt }: AdminWithCode): ApiResponse {
  return { body: { ...admin, code, codeExpiresAt }, state: stateOf(admin) };
}
