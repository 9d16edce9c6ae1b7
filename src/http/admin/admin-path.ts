/** Base path of the pages for administrators. */
export const ADMIN_PATH = "/admin";
