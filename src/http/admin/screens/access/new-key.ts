import type { Key } from "../../../../access/keys/keys.ts";
import { MCP_PATH } from "../../../../content/site/service-identity.ts";
import { html } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import { screenResponse } from "../frame/frame.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { keyPermissionsHtml } from "./scope-list.ts";

/** Shows a new key with the configuration for each client. The key cannot be shown again. */
export function renderNewKeyInstructions(
  visit: ScreenVisit,
  key: string,
  { name, scopes }: Pick<Key, "name" | "scopes">,
): HttpResponse {
  const { texts, parts } = visit;
  const t = texts.handOver;
  const url = `${parts.origin}${MCP_PATH}`;
  const header = { Authorization: `Bearer ${key}` };
  const site = slugOf(parts.reading.site().name);
  const clients: readonly (readonly [label: string, text: string])[] = [
    [
      "Claude Code",
      `claude mcp add --transport http ${site} ${url} --header "Authorization: Bearer ${key}"`,
    ],
    [t.cursor, json({ mcpServers: { [site]: { url, headers: header } } })],
    [t.vsCode, json({ servers: { [site]: { type: "http", url, headers: header } } })],
    [t.bridge, json({ mcpServers: { [site]: bridgeConfiguration(url, key) } })],
    [
      "curl",
      `curl ${url} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -H "Accept: application/json, text/event-stream" -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    ],
  ];
  const configurations = clients.map(
    ([label, text]) =>
      html`<details><summary>${label}</summary>\n<pre class="code">${text}</pre></details>\n`,
  );
  const content = html`<p>${texts.keys.shown}</p>
<p class="code">${key}</p>
${keyPermissionsHtml(texts, scopes)}<dl><dt>${t.address}</dt><dd>${url}</dd></dl>
<h2>${t.clients}</h2>
<p class="hint">${t.hint}</p>
${configurations}<p><a href="/admin/keys">${texts.lead}</a></p>
`;
  return screenResponse({ ...visit, url: "/admin/keys" }, { title: name, content });
}

/**
 * Configuration for clients that start a program instead of connecting to a URL. The key is in the
 * program's environment, not in its arguments.
 */
function bridgeConfiguration(url: string, key: string) {
  return {
    command: "npx",
    args: ["mcp-remote", url, "--header", `Authorization:\${COMMONPLACE_AUTH}`],
    env: { COMMONPLACE_AUTH: `Bearer ${key}` },
  };
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** A name for this server in configurations, in lower-case letters and hyphens, as clients expect. */
function slugOf(name: string): string {
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return slug.replaceAll(/^-|-$/g, "").slice(0, 40) || "commonplace";
}
