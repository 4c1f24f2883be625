/** What a toast says. */
export interface Said {
  title: string;
  description: string | undefined;
  failed: boolean;
  /** The code of the error, whose remedy is said too. */
  code?: string | undefined;
}
