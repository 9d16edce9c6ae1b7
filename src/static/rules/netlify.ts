import { movedAddresses } from "./former-addresses.ts";
import { headerFile, textFile } from "./header-file.ts";
import { encodedAddress, GONE_FOLDER, type Host, patternFolder } from "./host.ts";

export const netlify: Host = {
  readsPageNumbers: false,
  answersGone: true,
  rules(input) {
    const moved = movedAddresses(input).map(({ from, to }) => {
      const [path = "", query = ""] = encodedAddress(from).split("?");
      return `${path} ${query === "" ? "" : `${query.replaceAll("&", " ")} `}${to} 301`;
    });
    const gone = input.former
      .filter(({ kind }) => kind === "gone")
      .map(({ from }) => {
        const to = patternFolder(from) === null ? `/${GONE_FOLDER}${from}.html` : "/404.html";
        return `${encodedAddress(from)} ${encodeURI(to)} 410`;
      });
    return [textFile("_redirects", [...moved, ...gone]), headerFile(input)];
  },
  limits: () => [],
};
