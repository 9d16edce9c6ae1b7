/** Reporter that lists the files of failed tests, a line for each failure. CommonJS, as it must be a default export. */
module.exports = async function* failedFiles(events) {
  for await (const { type, data } of events) {
    if (type === "test:fail" && data.details.type !== "suite") yield `${data.file}\n`;
  }
};
