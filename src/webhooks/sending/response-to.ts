import type { ClientRequest, IncomingMessage } from "node:http";
import { CONNECTION_RESET } from "../connection-errors.ts";
import { PostError } from "./public-network.ts";

/**
 * Returns the response to a request, which the caller has ended.
 *
 * @throws the request's error.
 * @throws {PostError} if the request closes with neither a response nor an error, as Node does when a host
 * answers 101 although the request asks for no other protocol.
 */
export async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    request.on("response", resolve).on("error", reject);
    request.on("close", () => reject(new PostError(CONNECTION_RESET.en)));
  });
}
