import { z } from "zod";

const text = z.string();
const time = z.iso.datetime();

/** Delivery status of mails about an object, without their texts. */
export const mailsResponseSchema = z.array(
  z.object({
    id: text,
    kind: z.enum([
      "key-request-arrived",
      "key-approved",
      "key-declined",
      "message-arrived",
      "admin-code",
      "account-changed",
      "key-ends",
      "digest",
      "health",
    ]),
    to: text,
    state: z
      .enum(["waiting", "sent", "given_up", "withdrawn"])
      .meta({ description: "withdrawn: not sent, because a later decision superseded it" }),
    attempts: z.int(),
    createdAt: time,
    sentAt: time.nullable(),
    nextAttemptAt: time.nullable(),
    fault: text.nullable().meta({ description: "Why the last attempt failed" }),
  }),
);
