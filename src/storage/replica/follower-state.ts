export interface FollowerState {
  /** Sequence number of the last applied entry. */
  position: number;
  /**
   * False while the copy lags by seconds or is being rebuilt. Stays true while all instances have to
   * rebuild their copies: otherwise none of them would serve requests.
   */
  isCurrent: boolean;
  /** Age of the oldest known entry not yet applied; 0 if there is none. */
  lagSeconds: number;
  /** Whether the last attempt to read the log succeeded. */
  isReachable: boolean;
}
