import type { Tool } from "./mcp-features.ts";
import { describeContentCatalog } from "./tools/describe-content-catalog.ts";
import { getContentByUrl } from "./tools/get-content-by-url.ts";
import { getRelatedContent } from "./tools/get-related-content.ts";
import { listContent } from "./tools/list-content.ts";
import { listQuotationsByTopic } from "./tools/list-quotations-by-topic.ts";
import { listTopics } from "./tools/list-topics.ts";
import { listWorksByAuthor } from "./tools/list-works-by-author.ts";
import { searchContent } from "./tools/search-content.ts";

/** Every tool, in listing order; all are read-only. */
export const TOOLS: readonly Tool[] = [
  describeContentCatalog,
  searchContent,
  getContentByUrl,
  listContent,
  getRelatedContent,
  listTopics,
  listQuotationsByTopic,
  listWorksByAuthor,
];
