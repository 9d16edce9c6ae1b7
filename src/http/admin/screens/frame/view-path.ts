export const SITE_VIEW_PATH = "/admin/view";

/** The address under which people who have signed in see a page of the site, hidden or not. */
export function viewPath(to: string): string {
  return `${SITE_VIEW_PATH}?${new URLSearchParams({ to })}`;
}
