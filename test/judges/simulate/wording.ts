import type { Operation } from "./operations.ts";
import type { Step, Story } from "./story.ts";
import { inWords } from "./time-checks.ts";

/** Describes a story in words, with a line for each step. */
export function describeStory({ mode, steps }: Story): string[] {
  const noun = mode === "instances" ? "instance" : "process";
  const scene =
    mode === "instances"
      ? "Three instances on machines of their own, the record in PostgreSQL."
      : "Three processes on one machine, the record in its file.";
  return [scene, ...steps.map((step) => `${waitText(step)}${eventText(step, noun)}.`)];
}

function waitText({ wait }: Step): string {
  return wait === 0 ? "At once, " : `${inWords(wait)} later, `;
}

function eventText(step: Step, noun: string): string {
  const who =
    "by" in step && typeof step.by === "number" ? `${noun} ${step.by + 1}` : "the database";
  switch (step.kind) {
    case "ask":
      return `a client asks ${who} to ${asked(step.operation)}`;
    case "take":
      return `${step.times} requests with key ${step.key + 1} reach ${who}`;
    case "revoke":
      return `a client asks ${who} to revoke key ${step.key + 1}`;
    case "kill":
      return `${who} is killed, and started again after ${inWords(step.down)}`;
    case "stop":
      return `${who} is stopped and started again`;
    case "power":
      return `the machine of ${who} loses power for ${inWords(step.down)}`;
    case "crash":
      return `the database crashes and is away for ${inWords(step.down)}`;
    case "cut":
      return `nothing gets through between ${who} and the database for ${inWords(step.lasts)}`;
    case "slow":
      return `the way from ${who} to the database takes up to ${step.delay} ms for ${inWords(step.lasts)}`;
    case "reset":
      return `the connections of ${who} to the database are reset`;
    case "clock":
      return `the clock of ${who} is ${shift(step.ahead)} for ${inWords(step.lasts)}`;
    case "suspend":
      return `everything is suspended for ${inWords(step.lasts)}`;
    case "deaf":
      return `receivers fail ${step.percent} % of attempts for ${inWords(step.lasts)}`;
    case "check":
      return "everything is healed and compared";
  }
}

function shift(ahead: number): string {
  return ahead < 0 ? `${inWords(-ahead)} behind` : `${inWords(ahead)} ahead`;
}

function asked(operation: Operation): string {
  switch (operation.do) {
    case "site":
      return `name the site "${operation.name}"`;
    case "save": {
      const status = operation.isPublic ? "in public" : "as a draft";
      const links =
        operation.toItems.length === 0 ? "" : `, with links to ${operation.toItems.join(", ")}`;
      return `save item ${operation.item} ${status}${links}, ${operation.body.length} characters long`;
    }
    case "saveTogether":
      return `save items ${operation.items.join(" and ")} in one transaction`;
    case "status":
      return `${operation.change} item ${operation.item}`;
    case "schedule":
      return `schedule item ${operation.item} for ${inWords(operation.inSeconds * 1000)} later`;
    case "message":
      return "take a message to the editors";
    case "import":
      return `import items ${operation.items.join(" and ")}`;
    case "export":
      return "export everything";
    case "webhook":
      return `make a webhook to ${operation.url}`;
    case "issueKey":
      return "issue a key";
    case "revokeKey":
      return "revoke a key";
  }
}
