/** Matches the value of a row's button: language, row index and move. */
export const ROW_BUTTON_PATTERN = /^([\w-]{1,35}):(\d{1,3}):(\w+)$/;

export const ROW_ACTION_SYMBOLS = { up: "↑", down: "↓", level: "→", remove: "×" };
