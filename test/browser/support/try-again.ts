// A scenario waits for a browser, a server and a small machine together. In CI it may fail once; the report of that
// failure is printed. A fault that is always there still fails the run.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
