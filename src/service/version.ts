/** Version of the product; a test keeps it equal to package.json's. */
export const appVersion = '0.1.0'
