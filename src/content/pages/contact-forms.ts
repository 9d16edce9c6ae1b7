import { INPUT_CHARACTERS_MAX } from "../../access/submissions/visitor-input.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import type { Edition } from "../site/editions.ts";

export const CONTACT_PATH = "/contact";
export const KEY_CLAIM_PATH = "/contact/claim";
export const MESSAGE_SENT_PATH = "/contact/message-sent";
export const KEY_REQUESTED_PATH = "/contact/key-requested";

/** The form field that says which form was submitted. */
export const FORM_FIELD = "form";
/** Honeypot: a form field hidden from people, but filled in by spam programs. */
export const HONEYPOT_FIELD = "link";
/** Query parameter and form field with the path of the page that a message is about. */
export const SUBJECT_PAGE_FIELD = "about";
/** The form field with the signed time at which the form was opened. */
export const OPENED_AT_FIELD = "opened";

/** An input field; `choices` is used by the kind `choice` only. */
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
  id: "message" | "key-request" | "claim" | "preview";
  /** The decoded path that the form is sent to. */
  action: string;
  /** The heading, which also labels the form for screen readers. */
  heading: { id: string; text: string };
  fields: readonly FormField[];
  submit: string;
  isSpamProtected: boolean;
}

/** The values that a visitor entered in a form, and the problems with it. */
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

const PLAIN_FIELD = { isRequired: true, autocomplete: null, hint: null, choices: [] } as const;

/** The forms for visitors, by their ids. */
export function buildVisitorForms({
  texts: { contact, claim, preview },
  prefix,
}: Pick<Edition, "texts" | "prefix">): Record<VisitorForm["id"], VisitorForm> {
  const name: FormField = {
    ...PLAIN_FIELD,
    name: "name",
    label: contact.name,
    kind: "line",
    charactersMax: INPUT_CHARACTERS_MAX.name,
    autocomplete: "name",
  };
  const email: FormField = {
    ...PLAIN_FIELD,
    name: "email",
    label: contact.email,
    kind: "email",
    charactersMax: INPUT_CHARACTERS_MAX.email,
    autocomplete: "email",
    hint: contact.emailHint,
  };
  return {
    message: {
      id: "message",
      action: prefix + CONTACT_PATH,
      heading: { id: "write-to-the-editors", text: contact.writeToEditors },
      submit: contact.sendMessage,
      isSpamProtected: true,
      fields: [name, email, aboutField(contact), messageField(contact)],
    },
    "key-request": {
      id: "key-request",
      action: prefix + CONTACT_PATH,
      heading: { id: "ask-for-a-key", text: contact.askForKey },
      submit: contact.sendRequest,
      isSpamProtected: true,
      fields: [name, email, ...keyRequestFields(contact)],
    },
    preview: {
      id: "preview",
      action: `${prefix}/preview`,
      heading: { id: "enter-your-preview-code", text: preview.enterCode },
      submit: preview.show,
      isSpamProtected: false,
      fields: [
        {
          ...PLAIN_FIELD,
          name: "code",
          label: preview.code,
          kind: "code",
          charactersMax: 200,
          hint: preview.codeHint,
        },
      ],
    },
    claim: {
      id: "claim",
      action: prefix + KEY_CLAIM_PATH,
      heading: { id: "enter-your-claim-code", text: claim.enterCode },
      submit: claim.showKey,
      isSpamProtected: false,
      fields: [
        {
          ...PLAIN_FIELD,
          name: "code",
          label: claim.code,
          kind: "code",
          charactersMax: 200,
          hint: claim.codeHint,
        },
      ],
    },
  };
}

function messageField(texts: SiteTexts["contact"]): FormField {
  return {
    ...PLAIN_FIELD,
    name: "text",
    label: texts.message,
    kind: "lines",
    charactersMax: INPUT_CHARACTERS_MAX.message,
  };
}

function aboutField(texts: SiteTexts["contact"]): FormField {
  return {
    ...PLAIN_FIELD,
    name: SUBJECT_PAGE_FIELD,
    label: texts.about,
    kind: "line",
    isRequired: false,
    charactersMax: INPUT_CHARACTERS_MAX.about,
    hint: texts.aboutHint,
  };
}

function keyRequestFields(texts: SiteTexts["contact"]): FormField[] {
  return [
    {
      ...PLAIN_FIELD,
      name: "organisation",
      label: texts.organisation,
      kind: "line",
      isRequired: false,
      charactersMax: INPUT_CHARACTERS_MAX.organisation,
      autocomplete: "organization",
    },
    {
      ...PLAIN_FIELD,
      name: "task",
      label: texts.task,
      kind: "lines",
      charactersMax: INPUT_CHARACTERS_MAX.task,
      hint: texts.taskHint,
    },
    {
      ...PLAIN_FIELD,
      name: "data",
      label: texts.data,
      kind: "lines",
      isRequired: false,
      charactersMax: INPUT_CHARACTERS_MAX.data,
      hint: texts.dataHint,
    },
    {
      ...PLAIN_FIELD,
      name: "access",
      label: texts.access,
      kind: "choice",
      charactersMax: 10,
      choices: [
        { value: "read", label: texts.read },
        { value: "write", label: texts.write },
      ],
    },
  ];
}
