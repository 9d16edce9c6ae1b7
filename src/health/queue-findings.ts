import { daysBetween, hoursBetween } from "./elapsed.ts";
import type { QueueLength, QueueMeasurements } from "./facts.ts";
import {
  adviceUnlessGood,
  createUnknownFinding,
  type HealthFinding,
  type HealthState,
} from "./finding.ts";

const MAIL_WARN_HOURS = 1;
const QUEUE_LATE_HOURS = 24;
const GIVEN_UP_DAYS = 7;

export function judgeQueues(queues: QueueMeasurements | null, now: Date): HealthFinding[] {
  if (queues === null) return (["mail", "webhooks", "jobs"] as const).map(createUnknownFinding);
  const { mail, webhooks, jobs } = queues;
  const hasGivenUp = mail.givenUpAt !== null && daysBetween(mail.givenUpAt, now) < GIVEN_UP_DAYS;
  return [
    hasGivenUp
      ? {
          check: "mail",
          state: queueState(mail, now, MAIL_WARN_HOURS) === "bad" ? "bad" : "warn",
          meaning: ({ texts }) => texts.queues.mailGivenUp,
          advice: ({ texts }) => texts.queues.mailAdvice,
        }
      : queueFinding("mail", mail, queueState(mail, now, MAIL_WARN_HOURS)),
    webhooks.disabled > 0
      ? {
          check: "webhooks",
          state: "warn",
          meaning: ({ texts, number }) => texts.queues.webhooksOff(number(webhooks.disabled)),
          advice: ({ texts }) => texts.queues.webhooksAdvice,
        }
      : queueFinding("webhooks", webhooks, isLate(webhooks, now) ? "warn" : "good"),
    queueFinding("jobs", jobs, isLate(jobs, now) ? "warn" : "good"),
  ];
}

function queueFinding(
  check: "mail" | "webhooks" | "jobs",
  { waiting, oldestAt }: QueueLength,
  state: HealthState,
): HealthFinding {
  return {
    check,
    state,
    meaning: ({ texts, number, moment }) =>
      oldestAt === null
        ? texts.queues.empty
        : texts.queues.waiting(number(waiting), moment(oldestAt)),
    advice: adviceUnlessGood(state, ({ texts }) => texts.queues[`${check}Advice`]),
  };
}

function queueState(queue: QueueLength, now: Date, warnHours: number): HealthState {
  if (isLate(queue, now)) return "bad";
  return waitedHours(queue, now) >= warnHours ? "warn" : "good";
}

function isLate(queue: QueueLength, now: Date): boolean {
  return waitedHours(queue, now) >= QUEUE_LATE_HOURS;
}

function waitedHours({ oldestAt }: QueueLength, now: Date): number {
  return oldestAt === null ? 0 : hoursBetween(oldestAt, now);
}
