import { CHARACTERS_MAX } from "../../access/submissions/visitor-input.ts";

export const CONTACT_PATH = "/contact";
export const CLAIM_PATH = "/contact/claim";
export const MESSAGE_SENT_PATH = "/contact/message-sent";
export const KEY_REQUESTED_PATH = "/contact/key-requested";

/** Identifies the submitted form. */
export const FORM_FIELD = "form";
/** Honeypot: a field hidden from people, which spam programs fill in. */
export const TRAP_FIELD = "link";
/** The signed time at which the form was opened. */
export const OPENED_FIELD = "opened";

/** An input field; a choice is one of a few values. */
export interface FormField {
  name: string;
  label: string;
  kind: "line" | "email" | "lines" | "choice" | "code";
  isRequired: boolean;
  charactersMax: number;
  /** The HTML `autocomplete` token; null for none. */
  autocomplete: string | null;
  hint: string | null;
  choices: readonly { value: string; label: string }[];
}

/** A form that works without scripts. */
export interface VisitorForm {
  id: "message" | "key-request" | "claim";
  /** Decoded path. */
  action: string;
  /** The heading, which also labels the form for screen readers. */
  heading: { id: string; text: string };
  fields: readonly FormField[];
  submit: string;
  isSpamProtected: boolean;
}

/** Submitted values and their problems. */
export interface FilledForm {
  /** Signed time at which the form was opened; empty for forms without spam protection. */
  opened: string;
  values: Readonly<Record<string, string>>;
  problems: readonly FormProblem[];
}

export interface FormProblem {
  /** Name of a field; empty for the form as a whole. */
  where: string;
  message: string;
}

const BLANK = { isRequired: true, autocomplete: null, hint: null, choices: [] } as const;

const NAME: FormField = {
  ...BLANK,
  name: "name",
  label: "Your name",
  kind: "line",
  charactersMax: CHARACTERS_MAX.name,
  autocomplete: "name",
};

const EMAIL: FormField = {
  ...BLANK,
  name: "email",
  label: "Your e-mail address",
  kind: "email",
  charactersMax: CHARACTERS_MAX.email,
  autocomplete: "email",
  hint: "The answer goes there.",
};

export const MESSAGE_FORM: VisitorForm = {
  id: "message",
  action: CONTACT_PATH,
  heading: { id: "write-to-the-editors", text: "Write to the editors" },
  submit: "Send the message",
  isSpamProtected: true,
  fields: [
    NAME,
    EMAIL,
    {
      ...BLANK,
      name: "text",
      label: "Your message",
      kind: "lines",
      charactersMax: CHARACTERS_MAX.message,
      hint: "If it is about a page, give its address.",
    },
  ],
};

export const KEY_REQUEST_FORM: VisitorForm = {
  id: "key-request",
  action: CONTACT_PATH,
  heading: { id: "ask-for-a-key", text: "Ask for a key" },
  submit: "Send the request",
  isSpamProtected: true,
  fields: [
    NAME,
    EMAIL,
    {
      ...BLANK,
      name: "organisation",
      label: "Your organisation",
      kind: "line",
      isRequired: false,
      charactersMax: CHARACTERS_MAX.organisation,
      autocomplete: "organization",
    },
    {
      ...BLANK,
      name: "task",
      label: "What is the key for?",
      kind: "lines",
      charactersMax: CHARACTERS_MAX.task,
      hint: "What your agent or program is to do, for whom, and about how often it will ask.",
    },
    {
      ...BLANK,
      name: "data",
      label: "Which content does it need?",
      kind: "lines",
      isRequired: false,
      charactersMax: CHARACTERS_MAX.data,
      hint: "Topics, authors, works, or all of it.",
    },
    {
      ...BLANK,
      name: "access",
      label: "What should the key allow?",
      kind: "choice",
      charactersMax: 10,
      choices: [
        { value: "read", label: "Reading: search and read what is published" },
        { value: "write", label: "Reading and writing: for people who work on this site" },
      ],
    },
  ],
};

export const CLAIM_FORM: VisitorForm = {
  id: "claim",
  action: CLAIM_PATH,
  heading: { id: "enter-your-claim-code", text: "Enter your claim code" },
  submit: "Show my key",
  isSpamProtected: false,
  fields: [
    {
      ...BLANK,
      name: "code",
      label: "Claim code",
      kind: "code",
      charactersMax: 200,
      hint: "It begins with cplc_ and came to you from the administrators.",
    },
  ],
};
