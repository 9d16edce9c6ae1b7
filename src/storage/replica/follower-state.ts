export interface FollowerState {
  /** Sequence number of the last applied entry. */
  position: number;
  /**
   * False while the copy lags by seconds or is being rebuilt. Exception: true if all instances have to
   * rebuild their copies, because otherwise no instance would serve requests.
   */
  isCurrent: boolean;
  /** Age of the oldest known entry not yet applied; 0 if there is none. */
  lagSeconds: number;
  /** Whether the last attempt to read the log succeeded. */
  isReachable: boolean;
}
