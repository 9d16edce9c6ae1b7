/** Reporter that lists the files with failed tests, or the program that ended early. CommonJS, as it must be a default export. */
module.exports = async function* failedFiles(events) {
  for await (const { type, data } of events) {
    if (type === "test:fail" && data.nesting === 0) yield `${data.name}\n`;
  }
};
