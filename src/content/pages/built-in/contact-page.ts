import { INPUT_CHARACTERS_MAX } from "../../../access/submissions/visitor-input.ts";
import { starterTexts } from "../../../texts/starter/starter-texts.ts";
import type { ReadingCopy } from "../../library.ts";
import {
  type Edition,
  editionForItemLanguage,
  editionPath,
  pathInEditionLanguage,
} from "../../site/editions.ts";
import { editorsEmail } from "../../site/starter-site.ts";
import {
  buildVisitorForms,
  CONTACT_PATH,
  type FilledForm,
  KEY_REQUESTED_PATH,
  MESSAGE_SENT_PATH,
  SUBJECT_PAGE_FIELD,
  type VisitorForm,
} from "../contact-forms.ts";
import type { Block, InlineContent, PageView } from "../view.ts";
import {
  type BuiltInPage,
  buildBuiltInPage,
  buildVisitorFormBlocks,
  UNLISTED_PAGE,
} from "./built-in-page.ts";
import { claimAnchor } from "./claim-page.ts";

export const contactPage: BuiltInPage = {
  ...UNLISTED_PAGE,
  path: CONTACT_PATH,
  isLinkable: true,
  title: ({ contact }) => contact.title,
  view: (reading, edition) => {
    const { title } = edition.texts.contact;
    const page = buildBuiltInPage(edition, { path: CONTACT_PATH, title, blocks: [] });
    return withContactForms(page, reading);
  },
};

/** Confirms a message. */
export const messageSentPage: BuiltInPage = {
  ...UNLISTED_PAGE,
  path: MESSAGE_SENT_PATH,
  title: ({ contact }) => contact.messageSent,
  view: (_reading, edition) => {
    const title = edition.texts.contact.messageSent;
    const blocks = messageSentBlocks(edition);
    return buildBuiltInPage(edition, { path: MESSAGE_SENT_PATH, title, blocks });
  },
};

/** Confirms a request for a key. */
export const keyRequestedPage: BuiltInPage = {
  ...UNLISTED_PAGE,
  path: KEY_REQUESTED_PATH,
  title: ({ contact }) => contact.requestSent,
  view: (_reading, edition) => {
    const title = edition.texts.contact.requestSent;
    const blocks = keyRequestedBlocks(edition);
    return buildBuiltInPage(edition, { path: KEY_REQUESTED_PATH, title, blocks });
  },
};

/** Whether the view is the contact page or a translation of it. */
export function isContactPage(view: PageView, reading: ReadingCopy): boolean {
  if (view.subject.kind !== "item") return false;
  const path = contactPath(reading);
  return view.path === path || view.translations.some((translation) => translation.path === path);
}

const contactPaths = new WeakMap<ReadingCopy, { version: number; path: string }>();

/**
 * The current path of the contact page, which may have moved. Cached per version of the reading
 * copy, because every item page needs it.
 */
export function contactPath(reading: ReadingCopy): string {
  const version = reading.version();
  const cached = contactPaths.get(reading);
  if (cached?.version === version) return cached.path;
  const found = reading.resolve(CONTACT_PATH);
  const path = found.kind === "moved" ? found.to : CONTACT_PATH;
  contactPaths.set(reading, { version, path });
  return path;
}

export function withContactForms(view: PageView, reading: ReadingCopy): PageView {
  const email = editorsEmail(reading.site());
  const edition = editionForItemLanguage(reading, view.language);
  const { contact } = edition.texts;
  const privacy = privacyPath(reading, edition);
  const privacyNote: InlineContent[] =
    privacy === null ? [] : [" ", { text: contact.whatWeKeep, to: encodeURI(privacy) }, "."];
  const alsoByMail: InlineContent[] =
    email === null
      ? []
      : [" ", ...contact.alsoByMail<InlineContent>({ text: email, to: `mailto:${email}` })];
  const { message, "key-request": keyRequest } = buildVisitorForms(edition);
  const forms: Block[] = [
    ...buildVisitorFormBlocks(message, [contact.writeIntro, ...alsoByMail, ...privacyNote]),
    ...buildVisitorFormBlocks(keyRequest, contact.askIntro<InlineContent>(claimAnchor(edition))),
  ];
  return { ...view, blocks: [...view.blocks, ...forms] };
}

/** The path of the edition's privacy page; null if the edition has none. */
function privacyPath(reading: ReadingCopy, edition: Edition): string | null {
  const { privacy } = starterTexts(reading.site().language);
  for (const path of [privacy.path, "/privacy"]) {
    const found = reading.resolve(path);
    const translated = pathInEditionLanguage(
      reading,
      edition,
      found.kind === "moved" ? found.to : path,
    );
    if (translated !== null) return translated;
  }
  return null;
}

/** Adds submitted values to a form, and a summary of its problems at the top. */
export function withFilledForm(
  view: PageView,
  { formId, edition }: { formId: VisitorForm["id"]; edition: Edition },
  filled: FilledForm,
): PageView {
  const { texts } = edition;
  const form = buildVisitorForms(edition)[formId];
  const blocks = view.blocks.map((block) =>
    block.kind === "form" && block.form.id === formId ? { ...block, filled } : block,
  );
  const { problems } = filled;
  if (problems.length === 0) return { ...view, blocks };
  return {
    ...view,
    title: texts.form.notSent(view.title),
    blocks: [{ kind: "faults", form, problems }, ...blocks],
  };
}

/**
 * Fills two fields of every form on a page. `opened` is the signed time at which the form was
 * opened. `about` is the path of the page that the message is about.
 */
export function withFormOpeningTime(view: PageView, opened: string, about = ""): PageView {
  const isPath = about.startsWith("/") && about.length <= INPUT_CHARACTERS_MAX.about;
  const values = isPath ? { [SUBJECT_PAGE_FIELD]: about } : {};
  const blocks = view.blocks.map((block) =>
    block.kind === "form"
      ? {
          ...block,
          filled: { ...block.filled, opened, values: { ...values, ...block.filled.values } },
        }
      : block,
  );
  return { ...view, blocks };
}

function messageSentBlocks(edition: Edition): Block[] {
  const line = [edition.texts.contact.messageSentText];
  return [{ kind: "paragraph", line }, homeBlock(edition)];
}

function keyRequestedBlocks(edition: Edition): Block[] {
  const { contact } = edition.texts;
  const steps: (readonly InlineContent[])[] = [
    [contact.requestIsRead],
    [contact.requestIsAnswered],
    contact.requestIsClaimed<InlineContent>(claimAnchor(edition)),
  ];
  return [
    { kind: "paragraph", line: [contact.requestSentText] },
    { kind: "entries", entries: steps.map((line) => ({ line, note: [] })) },
    homeBlock(edition),
  ];
}

function homeBlock(edition: Edition): Block {
  const { homePage } = edition.texts.contact;
  return { kind: "paragraph", line: [{ text: homePage, to: editionPath(edition, "/") }] };
}
