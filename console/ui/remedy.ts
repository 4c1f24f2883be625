import { useEffect, useState } from "react";

/**
 * What users can do about an error of the service. The texts are loaded at the first failure. Returns undefined if they
 * cannot be loaded.
 */
export async function remedyOf(code: string | undefined): Promise<string | undefined> {
  if (code === undefined) return undefined;
  try {
    const { remedies } = await import("../messages/en-remedies.ts");
    return (remedies as Record<string, string>)[code];
  } catch {
    return undefined;
  }
}

export function useRemedy(code: string | undefined): string | undefined {
  const [known, setKnown] = useState<{ code: string | undefined; text: string | undefined }>();
  useEffect(() => {
    let isShown = true;
    void remedyOf(code).then(text => isShown && setKnown({ code, text }));
    return () => {
      isShown = false;
    };
  }, [code]);
  return known?.code === code ? known?.text : undefined;
}
