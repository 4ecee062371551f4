"""Varied pages to look at for candidates."""

from __future__ import annotations

FORM = """<h1>Account</h1><form aria-label="Sign in">
<label for=mail>Mail address</label><input id=mail type=email name=email placeholder="you@example.org">
<label>Secret <input type=password name=secret></label>
<fieldset><legend>Plan</legend><label><input type=radio name=plan value=s> Small</label>
<label><input type=radio name=plan value=l> Large</label></fieldset>
<select aria-label=Country><option>France<option>Italy</select>
<textarea title="Remarks"></textarea><input type=file id=paper style="display:none">
<input type=range aria-label=Volume><input type=hidden name=token value=x>
<div role=textbox contenteditable aria-label=Notes>first words</div>
<input type=checkbox id=terms style="display:none"><label for=terms>I agree</label>
<button data-testid=go>Send</button><button disabled>Later</button><input type=reset></form>"""
TABLE = """<h2>People</h2><table><caption>Staff</caption><thead><tr><th>Name<th>Mail<th>Do</tr></thead><tbody>
<tr><td>Ada<td>ada@example.org<td><button>Edit</button> <button>Delete</button></tr>
<tr><td>Bob's<td>bob@example.org<td><button>Edit</button> <button>Delete</button></tr>
<tr><td>Cy<td>cy@example.org<td><button>Edit</button> <button>Delete</button></tr></tbody></table>"""
CARDS = """<style>.card { cursor: pointer } .ghost { opacity: 0 } .away { visibility: hidden }</style>
<nav aria-label=Main><ul><li><a href=/a>Home</a><li><a href=/b>Mail <span aria-hidden=true>★</span></a></ul></nav>
<main><div class="card is-active css-1x2y3z" id=":r1:"><h3>Card one</h3><p>Some <b>bold</b> text</p></div>
<div class="card">Card two</div><div class=ghost><button>Ghost</button></div>
<div class=away><button>Away</button><button style="visibility:visible">Back</button></div>
<div inert><button>Inert</button></div><div aria-disabled=true><button>Off</button></div>
<div style="display:none"><button>None</button></div>
<details><summary>More</summary><button>Folded</button></details>
<button style="position:absolute;left:-999px">Aside</button><span role=button tabindex=0>Roled</span>
<button><svg width=10 height=10><title>Close</title></svg></button><button aria-label="Save all"><i>x</i></button>
<ul role=menu><li role=menuitem>Cut<li role=menuitem>Paste</ul>
<ul><li>One <button>Pick</button><li>Two <button>Pick</button></ul>
</main>"""
SHADOW = """<my-card></my-card><my-card></my-card><script>
for (const [place, host] of document.querySelectorAll('my-card').entries()) {
  const root = host.attachShadow({ mode: 'open' })
  root.innerHTML = `<section aria-label="Part ${place}"><button>Open</button><slot></slot>
    <inner-one></inner-one></section>`
  host.innerHTML = `<a href="#${place}">Slotted ${place}</a>`
  root.querySelector('inner-one').attachShadow({ mode: 'open' }).innerHTML = '<button>Deep</button>'
}</script>"""
RIGHT_TO_LEFT = """<html dir=rtl lang=ar><h1>الحساب</h1><form aria-label="تسجيل الدخول">
<label>الاسم <input></label>
<button>حفظ</button> <button>إلغاء 😀</button></form>
<p>😀 نص قبل <a href=/x>رابط</a> وبعد</p></html>"""
FRAMES = """<button>Outside</button><iframe title="First one"
style="width:400px;height:200px;border:3px solid;padding:2px"
srcdoc="<button>Inside</button><iframe name=deep srcdoc='<button>Innermost</button>'></iframe>"></iframe>
<iframe id=second srcdoc="<button>Inside</button>"></iframe>
<iframe style="display:none" srcdoc="<button>Unseen</button>"></iframe>"""
QUOTES = """<button>Say "yes" or 'no'</button><button>Say {{ this }}</button>
<input name='a"b' aria-label=""><div tabindex=0>
</div><div tabindex=0 style="width:9px;height:9px"></div><div tabindex=0 style="width:9px;height:9px"></div>"""
PAGES = {
    "form": FORM, "table": TABLE, "cards": CARDS, "shadow": SHADOW, "rtl": RIGHT_TO_LEFT, "frames": FRAMES,
    "quotes": QUOTES,
}  # fmt: skip
