import AxeBuilder from '@axe-core/playwright'
import { chromium } from '@playwright/test'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless','--no-sandbox','--disable-gpu'] })
for (const legacy of [true, false]) for (const dark of [false, true]) {
const c = await b.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: dark ? 'dark' : 'light' })
const p = await c.newPage()
await p.goto('file://' + process.argv[2])
await p.click('#rows tr:nth-child(7)')
await p.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true })
const t = performance.now()
const r = await new AxeBuilder({ page: p }).setLegacyMode(legacy).analyze()
console.log(legacy, dark, (performance.now()-t).toFixed(0), r.violations.map(v => v.id + ' ' + v.nodes.length + ' ' + v.nodes.slice(0,3).map(n => n.html + ' ' + n.failureSummary).join('\n')), r.incomplete.map(v=>v.id+' '+v.nodes.length+' '+v.nodes[0]?.html.slice(0,100)))
await c.close()
}
await b.close()
