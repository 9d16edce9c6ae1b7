import type { KeyAttributes } from "../../../access/keys/key-attributes.ts";
import { slugOf } from "../../addresses/paths.ts";
import { type Edition, editionPath } from "../../site/editions.ts";
import { buildVisitorForms, CONTACT_PATH, KEY_CLAIM_PATH } from "../contact-forms.ts";
import type { Anchor, Block, InlineContent, PageView } from "../view.ts";
import {
  type BuiltInPage,
  buildBuiltInPage,
  buildVisitorFormBlocks,
  UNLISTED_PAGE,
} from "./built-in-page.ts";

/** A new access key in plain text. It cannot be shown again. */
interface ClaimedKey {
  key: string;
  record: Pick<KeyAttributes, "scopes" | "ratePerMinute" | "expiresAt" | "networks">;
  origin: string;
}

/** The page with the form for a claim code. */
export const claimPage: BuiltInPage = {
  ...UNLISTED_PAGE,
  path: KEY_CLAIM_PATH,
  title: ({ claim }) => claim.title,
  view: (_reading, edition) => buildClaimPage(edition),
};

export function buildClaimPage(edition: Edition): PageView {
  return buildBuiltInPage(edition, {
    path: KEY_CLAIM_PATH,
    title: edition.texts.claim.title,
    blocks: claimBlocks(edition),
  });
}

/**
 * The page shown for a valid claim code: the new key, which is never shown again, and how to use
 * it.
 */
export function buildClaimedKeyPage(edition: Edition, claimed: ClaimedKey): PageView {
  const { key, record, origin } = claimed;
  const { scopes, ratePerMinute, expiresAt, networks } = record;
  const texts = edition.texts.claim;
  const permissions = [
    `${scopes.map((scope) => `\`${scope}\``).join(", ")}`,
    texts.rate(ratePerMinute),
    expiresAt === null ? texts.noEnd : texts.until(expiresAt),
    ...(networks.length === 0 ? [] : [texts.onlyFrom(networks)]),
  ];
  const server = {
    type: "http",
    url: `${origin}/mcp`,
    headers: { Authorization: `Bearer ${key}` },
  };
  const name = slugOf(edition.site.name) || "archive";
  const config = JSON.stringify({ mcpServers: { [name]: server } }, null, 2);
  const isForMcp = scopes.includes("mcp:read");
  const isForMore = scopes.some((scope) => scope !== "mcp:read");
  const markdown = [
    texts.shownOnce,
    codeBlock(key),
    texts.allows(permissions),
    `## ${texts.howToUse}`,
    texts.asHeader,
    codeBlock(`Authorization: Bearer ${key}`),
    ...(isForMcp ? [texts.service(`\`${origin}/mcp\``), codeBlock(config, "json")] : []),
    ...(isForMore ? [texts.interface(`\`${origin}/api/v1\``, "`GET /api/v1/`")] : []),
    texts.ifLost(editionPath(edition, CONTACT_PATH)),
  ].join("\n\n");
  return buildBuiltInPage(edition, {
    path: KEY_CLAIM_PATH,
    title: texts.yourKey,
    blocks: [{ kind: "source", name: "key", markdown, language: edition.language }],
  });
}

function codeBlock(text: string, language = ""): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

export function claimAnchor(edition: Edition): Anchor {
  return { text: edition.texts.claim.title, to: editionPath(edition, KEY_CLAIM_PATH) };
}

function claimBlocks(edition: Edition): Block[] {
  const { claim } = edition.texts;
  const askAgain: Anchor = { text: claim.askAgain, to: editionPath(edition, CONTACT_PATH) };
  return buildVisitorFormBlocks(
    buildVisitorForms(edition).claim,
    claim.intro<InlineContent>(askAgain),
  );
}
