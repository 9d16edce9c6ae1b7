import { escapeForRegExp } from "../literal-pattern.ts";
import {
  type ExportHost,
  GONE_FOLDER,
  type HostRulesInput,
  IMMUTABLE_CACHE_CONTROL,
  IMMUTABLE_FOLDERS,
  scriptContentSecurityPolicy,
  wildcardPrefix,
} from "./host.ts";

/** Writes rules for Caddy 2.6 or newer. */
export const caddy: ExportHost = {
  readsPageNumbers: true,
  answersGone: true,
  rules: (input) => [{ name: "Caddyfile", text: config(input) }],
  limits({ former }) {
    const count = former.filter(({ from }) => hasBraces(from)).length;
    return count === 0
      ? []
      : [`Caddy reads braces as placeholders: ${count} former addresses with braces are left out`];
  },
};

function config(input: HostRulesInput): string {
  const { origin, root, headers, pageCaching, types, namedTypes, policies } = input;
  const lines = Object.entries(headers).map(
    ([name, value]) => `\t\theader ${name} ${quoted(value)}`,
  );
  const paths = [
    ...[...types].map(([ending, type]) => [`*.${ending}`, type] as const),
    ...[...namedTypes].map(([name, type]) => [`*/${name}`, type] as const),
  ];
  const typeRules = paths.map(([path, type], index) => typeLines(path, type, index));
  const media = [...policies].map(
    ([ending, policy]) => `\t\theader /media/*.${ending} Content-Security-Policy ${quoted(policy)}`,
  );
  const scripts = input.scriptPaths.flatMap((path) =>
    [path, `${path}.html`].map(
      (page) =>
        `\t\theader ${page} Content-Security-Policy ${quoted(scriptContentSecurityPolicy(input))}`,
    ),
  );
  const immutable = IMMUTABLE_FOLDERS.map(
    (folder) => `\t\theader /${folder}/* Cache-Control ${quoted(IMMUTABLE_CACHE_CONTROL)}`,
  );
  return `# Written by commonplace export. Import it in your Caddyfile, or start Caddy with it.
${origin} {
	root * ${quoted(root)}
	encode zstd gzip
	map {path} {commonplace_to} {
${movedLines(input)}		default ""
	}
	map {uri} {commonplace_query_to} {
${queryLines(input)}		default ""
	}
	map {path} {commonplace_gone} {
${goneLines(input)}		default ""
	}
	map {query.page} {commonplace_page} {
		~^([1-9][0-9]*)$ "\${1}"
		default none
	}
	route {
${lines.join("\n")}
		header Cache-Control ${quoted(pageCaching)}
${[...immutable, ...media, ...scripts].join("\n")}
		@queried expression {commonplace_query_to} != ""
		redir @queried {commonplace_query_to} 308
		@moved expression {commonplace_to} != ""
		redir @moved {commonplace_to} 308
		@gone expression {commonplace_gone} != ""
		error @gone 410
		@hidden path /${GONE_FOLDER}/*
		error @hidden 404
		@slash path_regexp slash ^((?:/[^/\\\\]+)+)/$
		redir @slash {re.slash.1} 308
		@twin path_regexp twin ^(/.+)\\.md$
		route @twin {
			@page file {re.twin.1}/page-{commonplace_page}.md
			rewrite @page {re.twin.1}/page-{commonplace_page}.md
		}
		rewrite / /index.html
		try_files {path}/page-{commonplace_page}.html {path}.html {path}
${typeRules.join("\n")}
		file_server
	}
	handle_errors {
		header Content-Type "text/html; charset=utf-8"
		@gone expression {http.error.status_code} == 410
		handle @gone {
			rewrite * /${GONE_FOLDER}{path}.html
			file_server
		}
		handle {
			rewrite * /404.html
			file_server
		}
	}
}
`;
}

/**
 * Sets the media type of the files that `path` matches. Uses a separate matcher, because `header` accepts
 * only paths that begin with a slash.
 */
function typeLines(path: string, type: string, index: number): string {
  return `\t\t@type${index} path ${path}\n\t\theader @type${index} Content-Type ${quoted(type)}`;
}

function movedLines({ former }: HostRulesInput): string {
  return former
    .flatMap((each) => {
      if (each.kind !== "moved" || each.from.includes("?") || hasBraces(each.from)) return [];
      const folder = wildcardPrefix(each.from);
      if (folder === null) return [`\t\t${quoted(each.from)} ${quoted(each.to)}\n`];
      const target = each.to.replaceAll(":splat", "$${1}".slice(1));
      const rest = String.raw`((?:[^/\\][^\\]*)?)`;
      return [`\t\t${quoted(`~^${escapeForRegExp(folder)}${rest}$`)} ${quoted(target)}\n`];
    })
    .join("");
}

function queryLines({ former }: HostRulesInput): string {
  return former
    .flatMap((each) =>
      each.kind === "moved" && each.from.includes("?") && !hasBraces(each.from)
        ? [`\t\t${quoted(each.from)} ${quoted(each.to)}\n`]
        : [],
    )
    .join("");
}

function goneLines({ former }: HostRulesInput): string {
  return former
    .flatMap((each) => {
      if (each.kind !== "gone" || hasBraces(each.from)) return [];
      const folder = wildcardPrefix(each.from);
      const from = folder === null ? each.from : `~^${escapeForRegExp(folder)}`;
      return [`\t\t${quoted(from)} yes\n`];
    })
    .join("");
}

function hasBraces(address: string): boolean {
  return /[{}]/.test(address);
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '\\"')}"`;
}
