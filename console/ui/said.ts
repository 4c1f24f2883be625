/** What a toast says. */
export interface Said {
  title: string;
  description: string | undefined;
  failed: boolean;
}
