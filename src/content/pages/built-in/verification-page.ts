import type { ReadingCopy } from "../../library.ts";
import { type Edition, editionPath } from "../../site/editions.ts";
import { buildParentPathBreadcrumbs } from "../breadcrumbs.ts";
import { CONTACT_PATH } from "../contact-forms.ts";
import {
  EXPLAINED_SEAL_VALUES,
  sealsOfFieldValue,
  VERIFICATION_PATH,
} from "../quotations/seals.ts";
import type { Block, InlineContent, PageView } from "../view.ts";
import { type BuiltInPage, UNLISTED_PAGE } from "./built-in-page.ts";

/** A page with a section for each seal; seals link to their section. */
export const verificationPage: BuiltInPage = {
  ...UNLISTED_PAGE,
  path: VERIFICATION_PATH,
  title: (texts) => texts.verification.title,
  isLinkable: true,
  view: buildVerificationPage,
};

function buildVerificationPage(reading: ReadingCopy, edition: Edition): PageView {
  const { language, texts, types } = edition;
  const path = editionPath(edition, VERIFICATION_PATH);
  const { title, lead, question } = texts.verification;
  const contactLink: InlineContent = {
    text: texts.contact.writeToEditors,
    to: editionPath(edition, CONTACT_PATH),
  };
  return {
    path,
    query: "",
    title,
    description: lead,
    language,
    textLanguage: language,
    updatedAt: null,
    isIndexed: true,
    subject: { kind: "other", path, title },
    trail: buildParentPathBreadcrumbs(reading, path, edition),
    translations: [],
    blocks: [
      { kind: "lead", text: lead, language },
      ...EXPLAINED_SEAL_VALUES.flatMap((value) => explanation(value, { texts, types })),
      { kind: "paragraph", line: [`${question} `, contactLink, "."] },
    ],
  };
}

function explanation(
  value: (typeof EXPLAINED_SEAL_VALUES)[number],
  { texts, types }: Pick<Edition, "texts" | "types">,
): Block[] {
  const field = types.get("quotation")?.fields["verification"] ?? {};
  return sealsOfFieldValue(value, field).flatMap((seal): Block[] => [
    { kind: "heading", text: seal.label, id: value },
    {
      kind: "paragraph",
      line: [{ seal: { ...seal, isCaution: false, to: null } }, ` – ${texts.verification[value]}`],
    },
  ]);
}
