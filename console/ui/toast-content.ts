/** The content of a toast. */
export interface ToastContent {
  title: string;
  description: string | undefined;
  failed: boolean;
  /** The code of the error. The toast adds its remedy. */
  code?: string | undefined;
}
