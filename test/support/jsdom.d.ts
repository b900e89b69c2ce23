/** The part of jsdom that tests use to parse XML; the package has no types of its own. */
declare module 'jsdom' {
  interface XmlElement {
    readonly tagName: string
    readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
    getAttribute(name: string): string | null
  }
  interface XmlDocument {
    readonly documentElement: XmlElement
    querySelector(selector: string): XmlElement | null
    querySelectorAll(selector: string): readonly XmlElement[]
  }
  export class JSDOM {
    constructor(text: Uint8Array, options: { readonly contentType: 'text/xml' })
    readonly window: { readonly document: XmlDocument }
  }
}
