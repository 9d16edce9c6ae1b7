import { contactPath } from "../content/pages/built-in/contact-page.ts";
import { editorsEmail } from "../content/site/starter-site.ts";
import type { DiscoveryDocument } from "./document.ts";

const VALID_MONTHS = 11;

/**
 * The security contact (RFC 9116). Expires 11 months after the start of the current month, so that
 * the bytes change only once a month. The RFC recommends an expiry within a year.
 */
export const securityTxt: DiscoveryDocument = {
  name: "security.txt",
  paths: ["/.well-known/security.txt"],
  contentType: "text/plain; charset=utf-8",
  render({ reading, origin, now }) {
    const site = reading.site();
    const { contact, language, languages } = site;
    const email = contact.security ?? editorsEmail(site);
    const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + VALID_MONTHS));
    return [
      `Contact: ${email === null ? `${origin}${contactPath(reading)}` : `mailto:${email}`}`,
      `Expires: ${expires.toISOString()}`,
      `Preferred-Languages: ${[...new Set([language, ...languages])].join(", ")}`,
      `Canonical: ${origin}/.well-known/security.txt`,
      "",
    ].join("\n");
  },
};
