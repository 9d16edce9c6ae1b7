import { caddy } from "./caddy.ts";
import { cloudflare } from "./cloudflare.ts";
import { githubPages } from "./github-pages.ts";
import type { ExportHost, ExportHostName } from "./host.ts";
import { netlify } from "./netlify.ts";
import { nginx } from "./nginx.ts";

export const EXPORT_HOSTS: Readonly<Record<ExportHostName, ExportHost>> = {
  nginx,
  caddy,
  netlify,
  cloudflare,
  "github-pages": githubPages,
};
