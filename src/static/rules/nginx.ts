import { escapeForRegExp } from "../literal-pattern.ts";
import {
  type ExportHost,
  encodeRequestTarget,
  GONE_FOLDER,
  type HostRulesInput,
  IMMUTABLE_CACHE_CONTROL,
  IMMUTABLE_FOLDERS,
  scriptContentSecurityPolicy,
  wildcardPrefix,
} from "./host.ts";

/** Bytes that a hash bucket of nginx needs in addition to its longest key. */
const BUCKET_OVERHEAD_BYTES = 32;

/** Writes rules for the `http` block of nginx 1.18 or newer. */
export const nginx: ExportHost = {
  readsPageNumbers: true,
  answersGone: true,
  rules: (input) => [{ name: "nginx.conf", text: config(input) }],
  limits: () => [],
};

function config(input: HostRulesInput): string {
  const { origin, root, headers, pageCaching, policies } = input;
  const { "Content-Security-Policy": policy = "", ...others } = headers;
  const longestKeyBytes = input.former.reduce(
    (bytes, { from }) => Math.max(bytes, Buffer.byteLength(encodeRequestTarget(from))),
    64,
  );
  const bucketBytes = 2 ** Math.ceil(Math.log2(longestKeyBytes + BUCKET_OVERHEAD_BYTES));
  const headerLines = Object.entries(others).map(
    ([name, value]) => `  add_header ${name} ${quoted(value)} always;`,
  );
  const folders = IMMUTABLE_FOLDERS.join("|");
  return `# Written by commonplace export. Include it in the http block of nginx; certificates are yours to add.
map_hash_max_size 65536;
map_hash_bucket_size ${bucketBytes};

# The path as it was sent, so that nothing decoded gets into a header.
map $request_uri $commonplace_path {
  "~^(?<commonplace_sent>[^?]*)" $commonplace_sent;
}
map $commonplace_path $commonplace_to {
  default "";
${movedLines(input)}  "~^(?<commonplace_bare>(?:/[^/\\\\\\\\]+)+)/$" $commonplace_bare$is_args$args;
}
map $request_uri $commonplace_query_to {
  default "";
${queryLines(input)}}
map $commonplace_path $commonplace_gone {
  default 0;
${goneLines(input)}}
map $arg_page $commonplace_page {
  default none;
  "~^[1-9][0-9]*$" $arg_page;
}
map $uri $commonplace_caching {
  default ${quoted(pageCaching)};
  "~^/(?:${folders})/" ${quoted(IMMUTABLE_CACHE_CONTROL)};
}
map $uri $commonplace_policy {
  default ${quoted(policy)};
${[...policies].map(([ending, value]) => `  "~^/media/.*\\\\.${ending}$" ${quoted(value)};\n`).join("")}${scriptLines(input)}}

server {
  listen 80;
  server_name ${new URL(origin).hostname};
  root ${quoted(root)};

  types {
${typeLines(input)}  }
  default_type application/octet-stream;
  gzip on;
  gzip_vary on;
  gzip_types ${gzipTypes(input).map(quoted).join(" ")};

${headerLines.join("\n")}
  add_header Content-Security-Policy $commonplace_policy always;
  add_header Cache-Control $commonplace_caching;

  error_page 404 @commonplace_missing;
  error_page 410 @commonplace_gone;
  if ($commonplace_query_to) { return 308 $commonplace_query_to; }
  if ($commonplace_to) { return 308 $commonplace_to; }
  if ($commonplace_gone) { return 410; }

  location = / { try_files /index.html =404; }
  location / { try_files $uri/page-$commonplace_page.html $uri.html $uri =404; }
  location ~ ^(?<commonplace_base>/.+)\\.md$ { try_files $commonplace_base/page-$commonplace_page.md $uri =404; }
${namedLocations(input)}  location @commonplace_missing { try_files /404.html =404; }
  location @commonplace_gone { try_files /${GONE_FOLDER}$uri.html /404.html =410; }
  location ^~ /${GONE_FOLDER}/ { return 404; }
}
`;
}

/**
 * The rule for a page also matches its path with `.html`, because nginx appends `.html` to `$uri`
 * when it finds the file.
 */
function scriptLines(input: HostRulesInput): string {
  return input.scriptPaths
    .map((path) => {
      const page = `~^${escapeForRegExp(decodeURI(path))}(?:\\.html)?$`;
      return `  ${quoted(page)} ${quoted(scriptContentSecurityPolicy(input))};\n`;
    })
    .join("");
}

function movedLines({ former }: HostRulesInput): string {
  let regexes = 0;
  return former
    .flatMap((each) => {
      if (each.kind !== "moved" || each.from.includes("?")) return [];
      const to = literal(each.to);
      const folder = wildcardPrefix(each.from);
      const query = each.isElsewhere ? "" : "$is_args$args";
      if (folder === null)
        return [`  ${quoted(encodeRequestTarget(each.from))} "${to}${query}";\n`];
      regexes += 1;
      const rest = `commonplace_rest${regexes}`;
      const target = to.replaceAll(":splat", `$${rest}`);
      const folderPattern = escapeForRegExp(encodeRequestTarget(folder));
      return [
        `  ${quoted(`~^${folderPattern}(?<${rest}>(?:[^/\\\\][^\\\\]*)?)$`)} "${target}${query}";\n`,
      ];
    })
    .join("");
}

function queryLines({ former }: HostRulesInput): string {
  return former
    .flatMap((each) =>
      each.kind === "moved" && each.from.includes("?")
        ? [`  ${quoted(encodeRequestTarget(each.from))} "${literal(each.to)}";\n`]
        : [],
    )
    .join("");
}

function goneLines({ former }: HostRulesInput): string {
  return former
    .flatMap((each) => {
      if (each.kind !== "gone") return [];
      const folder = wildcardPrefix(each.from);
      const address = encodeRequestTarget(folder ?? each.from);
      return folder === null
        ? [`  ${quoted(address)} 1;\n`]
        : [`  ${quoted(`~^${escapeForRegExp(address)}`)} 1;\n`];
    })
    .join("");
}

function typeLines({ types }: HostRulesInput): string {
  const endings = Map.groupBy(types, ([, type]) => type);
  return [...endings]
    .map(
      ([type, entries]) => `    ${quoted(type)} ${entries.map(([ending]) => ending).join(" ")};\n`,
    )
    .join("");
}

/**
 * Media types that compress well, with parameters such as `charset`: nginx compares the whole
 * header.
 */
function gzipTypes({ types, namedTypes }: HostRulesInput): string[] {
  const all = new Set([...types.values(), ...namedTypes.values()]);
  return [...all].filter((type) => /^text\/|^application\/.*(?:json|xml)|^image\/svg/.test(type));
}

function namedLocations({ namedTypes }: HostRulesInput): string {
  return [...namedTypes]
    .map(
      ([name, type]) =>
        `  location ~ "/${escapeForRegExp(name)}$" { types { } default_type ${quoted(type)}; }\n`,
    )
    .join("");
}

/** Encodes `$`, which would start a variable, and characters that would end the string. */
function literal(value: string): string {
  return value.replaceAll("$", "%24").replaceAll(/["\\]/g, encodeURIComponent);
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}
