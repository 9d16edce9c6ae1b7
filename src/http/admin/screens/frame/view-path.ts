export const SITE_VIEW_PATH = "/admin/view";

/**
 * The address at which signed-in people see a page of the site, even if the page is hidden from
 * visitors.
 */
export function viewOnSitePath(to: string): string {
  return `${SITE_VIEW_PATH}?${new URLSearchParams({ to })}`;
}
