/**
 * A queue that alternates between clients. The jobs of each client keep their order. A client with many jobs
 * delays each job of another client by one job at most.
 */
export class FairQueue<Job> {
  /** Clients in the order of their turns; each has at least one job. */
  readonly #jobs = new Map<string, Job[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(client: string, job: Job): void {
    const jobs = this.#jobs.get(client);
    if (jobs === undefined) this.#jobs.set(client, [job]);
    else jobs.push(job);
    this.#size += 1;
  }

  /** Removes the oldest job of the next client; undefined: the queue is empty. */
  shift(): Job | undefined {
    const [next] = this.#jobs;
    if (next === undefined) return undefined;
    const [client, jobs] = next;
    const job = jobs.shift();
    this.#jobs.delete(client);
    if (jobs.length > 0) this.#jobs.set(client, jobs);
    this.#size -= 1;
    return job;
  }

  /**
   * Removes the newest job of the client with the most jobs. If several clients have equally many,
   * chooses the one whose turn comes last.
   */
  dropFromLongest(): Job | undefined {
    let longest: [client: string, jobs: Job[]] | undefined;
    for (const entry of this.#jobs) {
      if (longest === undefined || entry[1].length >= longest[1].length) longest = entry;
    }
    if (longest === undefined) return undefined;
    const [client, jobs] = longest;
    const job = jobs.pop();
    if (jobs.length === 0) this.#jobs.delete(client);
    this.#size -= 1;
    return job;
  }
}
