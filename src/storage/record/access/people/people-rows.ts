export interface AdminRow {
  id: string;
  email: string;
  name: string;
  role: string;
  state: string;
  password_hash: string;
  created_at: string;
  created_by: string;
  changed_at: string;
  last_login_at: string | null;
}

export interface SessionRow {
  id: string;
  hash: string;
  admin_id: string;
  stage: "second_factor" | "open";
  device: string;
  network: string;
  created_at: string;
  used_at: string;
  confirmed_at: string;
  expires_at: string;
}

export interface AdminCodeRow {
  id: string;
  hash: string;
  admin_id: string | null;
  created_at: string;
  created_by: string;
  expires_at: string;
}

export interface SecondFactorRow {
  admin_id: string;
  secret: string;
  confirmed_at: string | null;
  last_step: number;
  /** JSON list of hashes. */
  recovery_hashes: string;
}

export interface PasskeyRow {
  id: string;
  admin_id: string;
  name: string;
  credential_id: string;
  public_key: string;
  counter: number;
  is_backed_up: 0 | 1;
  host: string;
  created_at: string;
  used_at: string | null;
}

export interface PasskeyChallengeRow {
  hash: string;
  admin_id: string | null;
  expires_at: string;
}

export interface DigestRow {
  admin_id: string;
  is_on: 0 | 1;
  language: string;
  looked_at: string | null;
}

export interface SignInAttemptRow {
  id: string;
  at: string;
  subject: string;
  network: string;
}
