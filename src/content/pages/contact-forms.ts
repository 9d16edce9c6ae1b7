import { CHARACTERS_MAX } from "../../access/submissions/visitor-input.ts";

export const CONTACT_PATH = "/contact";
export const CLAIM_PATH = "/contact/claim";
export const MESSAGE_SENT_PATH = "/contact/message-sent";
export const KEY_REQUESTED_PATH = "/contact/key-requested";

/** Which form of the page was sent. */
export const FORM_FIELD = "form";
/** A field no person sees; programs that fill in every field give themselves away. */
export const TRAP_FIELD = "link";
/** The signed time at which the form was opened. */
export const OPENED_FIELD = "opened";

/** What a person fills in; a choice is one of a few values. */
export interface FormField {
  name: string;
  label: string;
  kind: "line" | "email" | "lines" | "choice" | "code";
  isRequired: boolean;
  charactersMax: number;
  /** What browsers may fill in by themselves, as HTML names it; null: nothing. */
  autocomplete: string | null;
  hint: string | null;
  choices: readonly { value: string; label: string }[];
}

/** A form of the site that works without scripts. */
export interface VisitorForm {
  id: "message" | "key-request" | "claim";
  /** Where it is sent; decoded. */
  action: string;
  /** Its heading, which also names it to screen readers. */
  heading: { id: string; text: string };
  fields: readonly FormField[];
  submit: string;
  /** Is it kept from programs that fill whatever form they find? */
  isGuarded: boolean;
}

/** What was typed already, and what is wrong with it. */
export interface FilledForm {
  /** Signed time at which the form was opened; empty where none is asked for. */
  opened: string;
  values: Readonly<Record<string, string>>;
  problems: readonly FormProblem[];
}

export interface FormProblem {
  /** Name of a field; empty: the form as a whole. */
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
  isGuarded: true,
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
  isGuarded: true,
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
  isGuarded: false,
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
