import { caddy } from "./caddy.ts";
import type { Host, HostName } from "./host.ts";
import { nginx } from "./nginx.ts";
import { cloudflare, githubPages, netlify } from "./platforms.ts";

export const HOSTS: Readonly<Record<HostName, Host>> = {
  nginx,
  caddy,
  netlify,
  cloudflare,
  "github-pages": githubPages,
};
