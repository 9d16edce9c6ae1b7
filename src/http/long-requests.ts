/** Requests whose bodies may take longer to arrive than others; who marks one sees to its limits. */
export const longRequests = new WeakSet<Request>();
