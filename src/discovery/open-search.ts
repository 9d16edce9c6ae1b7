import type { DiscoveryDocument } from "./document.ts";
import { escapeXml } from "./xml.ts";

/** Maximum length of a short name in OpenSearch 1.1. */
const SHORT_NAME_CHARACTERS_MAX = 16;

/** OpenSearch 1.1 description of the search page, for browsers and agents. */
export const openSearchDescription: DiscoveryDocument = {
  name: "opensearch.xml",
  paths: ["/opensearch.xml"],
  contentType: "application/opensearchdescription+xml",
  render({ reading, origin }) {
    const { name, description, language } = reading.site();
    const shortName = [...name].slice(0, SHORT_NAME_CHARACTERS_MAX).join("").trim();
    return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escapeXml(shortName)}</ShortName>
<LongName>${escapeXml(name)}</LongName>
<Description>${escapeXml(description)}</Description>
<Url type="text/html" template="${origin}/search?q={searchTerms}"/>
<Url type="text/markdown" template="${origin}/search.md?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${origin}/opensearch.xml"/>
<Language>${escapeXml(language)}</Language>
<InputEncoding>UTF-8</InputEncoding>
<OutputEncoding>UTF-8</OutputEncoding>
</OpenSearchDescription>
`;
  },
};
